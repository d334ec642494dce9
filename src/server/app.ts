/** The only place that speaks HTTP: node:http on loopback and on the Unix socket, one dispatcher for both. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Caller } from '../contract/caller.ts';
import { limits } from '../limits.ts';
import type { Audit } from '../live/audit.ts';
import { version } from '../version.ts';
import { authenticate, localCaller } from './authenticate.ts';
import { authorize, refuseInside } from './authorize.ts';
import { bodyFor, hasBody } from './body.ts';
import type { ActionNotes, Call, Handlers } from './call.ts';
import { boundConnections, type Connections } from './connections.ts';
import type { AccessRules } from './access-rules.ts';
import { respond, respondError } from './respond.ts';
import { type Match, routeOf } from './router.ts';

export interface App {
  /** Behind authentication. */
  tcp: Server;
  /** For the user's own commands. */
  local: Server;
}

/** Records what was done, or refused. */
export type Recorder = Pick<Audit, 'record' | 'now'>;

/** Makes two servers over the same handlers. */
export const createApp = (
  handlers: Handlers,
  rules: AccessRules,
  audit: Recorder,
  onError: (message: string, error: unknown) => void,
): App => {
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    connections: Connections | null,
    awaitsContinue: boolean,
  ): Promise<void> => {
    response.setHeader('X-Drover-Version', version);
    try {
      const [path, query] = splitUrl(request.url ?? '/');
      const { match, caller } = identify(
        () => routeOf(request.method ?? 'GET', path),
        request,
        connections === null,
        rules,
      );
      const { route, id, request: requestId } = match;
      const isAnonymous = caller.kind === 'anonymous';
      if (!isAnonymous) connections?.trust(request.socket);
      // A body that nobody reads would be read to its end, to keep the connection.
      else if (hasBody(request)) response.setHeader('Connection', 'close');
      const action: ActionNotes = {};
      const result = await recorded(audit, match, caller, action, async () => {
        authorize(caller, route.level);
        if (route.inside !== undefined) refuseInside(caller, route.inside, id, rules.inside);
        if (awaitsContinue) response.writeContinue();
        const body = await bodyFor(route, request, isAnonymous);
        const { headers } = request;
        const onLeave = (listener: () => void) => void response.once('close', listener);
        const handle = handlers[route.id] as (call: Call) => unknown;
        return handle({ params: { id, request: requestId }, query, headers, body, caller, action, onLeave });
      });
      await respond(response, route.status ?? 200, result);
    } catch (error) {
      respondError(request, response, error, onError);
    }
  };
  const serve = (isLocal: boolean): Server => {
    const server = createServer({
      requestTimeout: limits.http.bodyTimeout,
      headersTimeout: limits.http.headTimeout,
      connectionsCheckingInterval: limits.http.overdueCheck,
    });
    const connections = isLocal ? null : boundConnections(server);
    const take =
      (awaitsContinue: boolean) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        // A client that sends again on the same connection would keep a closing server open.
        if (!server.listening) response.setHeader('Connection', 'close');
        void answer(request, response, connections, awaitsContinue);
      };
    server.on('request', take(false));
    // `Expect: 100-continue`: the body is asked for only once its sender may send it.
    server.on('checkContinue', take(true));
    server.keepAliveTimeout = 60_000;
    return server;
  };
  return { tcp: serve(false), local: serve(true) };
};

const splitUrl = (url: string): [path: string, query: URLSearchParams] => {
  const cut = url.indexOf('?');
  return cut < 0
    ? [url, new URLSearchParams()]
    : [url.slice(0, cut), new URLSearchParams(url.slice(cut + 1))];
};

/** Runs a handler. Where the route table names an action, its outcome is recorded before it is answered. */
const recorded = async (
  audit: Recorder,
  { route, id }: Match,
  caller: Caller,
  notes: ActionNotes,
  run: () => Promise<unknown>,
): Promise<unknown> => {
  if (route.audit === undefined) return run();
  const at = audit.now();
  const record = async (error?: unknown): Promise<void> => {
    const by = notes.caller ?? caller;
    // Anybody can try without a token: that must not fill the log.
    if (by.kind === 'anonymous') return;
    const session = route.pattern === undefined ? id : null;
    await audit.record({ session, ...notes, action: route.audit as string, caller: by, at, error });
  };
  try {
    const result = await run();
    await record();
    return result;
  } catch (error) {
    await record(error);
    throw error;
  }
};

// The caller is checked before the route, so that a stranger learns nothing about what exists.
const identify = (
  route: () => Match,
  request: IncomingMessage,
  local: boolean,
  rules: AccessRules,
): { match: Match; caller: Caller } => {
  let match: Match | null = null;
  let problem: unknown;
  try {
    match = route();
  } catch (error) {
    problem = error;
  }
  const caller = local ? localCaller(request) : authenticate(request, match?.route.level, rules);
  if (!match) throw problem;
  return { match, caller };
};
