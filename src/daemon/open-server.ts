/** Opens the server over the handlers of all parts: for programs, pages and commands of this machine, and for calls of other hosts. */
import type { Peers } from '../fleet/peers.ts';
import type { App } from '../server/app.ts';
import type { InsideRules } from '../server/authorize.ts';
import type { Handlers } from '../server/call.ts';
import { createDispatch } from '../server/dispatch.ts';
import { forwarding } from '../server/fleet/forward.ts';
import { hostCalls } from '../server/fleet/host-calls.ts';
import type { Pages } from '../server/pages.ts';
import type { Tokens } from '../server/tokens.ts';
import type { Address } from './address.ts';
import type { Core } from './core.ts';
import type { Agents } from './parts/agents.ts';

export interface ServerDeps {
  app: App;
  handlers: Handlers;
  fleet: { readonly peers: Peers | null };
  agents: Pick<Agents, 'isAgentOf' | 'isSame' | 'hasStarted'>;
  audit: Parameters<typeof createDispatch>[2];
  tokens: Tokens;
  pages: Pages;
  address: Address;
  /** Host headers to accept besides those of the config. */
  allowHosts: readonly string[];
}

export const openServer = ({ config, loop, log }: Core, deps: ServerDeps) => {
  const { app, handlers, fleet, agents, audit, tokens, pages, address, allowHosts } = deps;
  const inside: InsideRules = {
    get isAllowed() {
      return config.insideSessions === 'allow';
    },
    isAgentOf: agents.isAgentOf,
    isSame: agents.isSame,
    hasStarted: agents.hasStarted,
  };
  const everywhere = forwarding(handlers, {
    peers: () => fleet.peers,
    here: id => loop.sessionIndex.named(id),
    inside,
  });
  return {
    /** Answers calls from now on. */
    serve: () =>
      app.serve(createDispatch(everywhere, inside, audit), {
        tokenOf: given => tokens.find(given),
        acceptPage: (cookie, request) => pages.accept(cookie, request),
        port: () => address.port,
        get allowHosts() {
          return [...config.allowHosts, ...allowHosts];
        },
        get openIngest() {
          return config.ingest === 'open';
        },
        get ingestFrom() {
          return config.ingestFrom;
        },
      }),
    /** Executes calls of other hosts here: they are never forwarded. */
    ofHosts: hostCalls(createDispatch(handlers, inside, audit), log.error),
  };
};
