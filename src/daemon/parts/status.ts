/** The daemon about itself: its status, forgetting, and its stop. */
import type { Forget, Forgotten } from '../../contract/api.ts';
import { forget } from '../../live/forget.ts';
import type { Commit } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import { daemonHandlers } from '../../server/handlers/daemon.ts';
import { removeDamaged } from '../../store/damaged.ts';
import type { Address } from '../address.ts';
import type { Core } from '../core.ts';
import type { openFleetPart } from './fleet.ts';
import type { openConfig } from './config.ts';
import type { Hub } from './hub.ts';
import type { Ingest } from './ingest.ts';
import type { openNotices } from './notices.ts';
import type { Past } from './past.ts';
import type { openPrint } from './print.ts';
import type { TmuxPart } from './tmux.ts';
import type { openUsage } from './usage.ts';

export interface StatusDeps {
  address: Address;
  ingest: Ingest;
  streams: Streams;
  hub: Hub;
  past: Past;
  tmux: TmuxPart;
  print: ReturnType<typeof openPrint>;
  notices: ReturnType<typeof openNotices>;
  usage: ReturnType<typeof openUsage>;
  config: ReturnType<typeof openConfig>;
  fleet: Pick<ReturnType<typeof openFleetPart>, 'status'>;
  /** Stops the daemon. */
  stop: () => void;
}

export const openStatus = (core: Core, deps: StatusDeps) => {
  const { paths, loop, store, clock, log } = core;
  const { address, ingest, streams, print, notices, stop } = deps;
  let lastHookAt: number | null = null;
  return {
    name: 'status',
    onCommit: ({ event }: Commit) => {
      if (event.source === 'hook') lastHookAt = event.seen;
    },
    handlers: daemonHandlers({
      paths,
      loop,
      streams,
      receive: ingest.receive,
      aside: ingest.aside,
      otherTools: ingest.otherTools,
      store,
      clock,
      startedAt: clock.now(),
      lastHookAt: () => lastHookAt,
      url: () => address.url,
      errors: () => log.errors,
      warm: print.status,
      notify: notices.status,
      config: deps.config.status,
      unread: () => deps.hub.unread.list(),
      fleet: deps.fleet.status,
      forget: wanted => forgetEverywhere(core, deps, wanted),
      stop,
    }),
  };
};

/** Clears sessions from the log and from everything derived from it. */
const forgetEverywhere = async (
  { paths, loop, store }: Core,
  { ingest, streams, hub, past, tmux, usage, notices }: StatusDeps,
  wanted: Forget,
): Promise<Forgotten> => {
  past.forget(wanted);
  notices.forget(wanted);
  const forgotten = forget(store, loop.sessionIndex, streams, ingest.aside, wanted);
  removeDamaged(paths.damaged);
  hub.prune();
  tmux.forget(id => loop.sessionIndex.get(id) === undefined);
  await usage.forget(wanted);
  return forgotten;
};
