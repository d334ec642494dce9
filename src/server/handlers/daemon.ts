/** Status, metrics, forgetting and stop of the daemon. */
import type { Clock } from '../../clock.ts';
import { statSync } from 'node:fs';
import type { CliStatus, ConfigStatus, Forget, Forgotten, Status } from '../../contract/api.ts';
import { newestTested, untestedOf } from '../../contract/cli-version.ts';
import type { FleetStatus } from '../../contract/fleet.ts';
import type { NotifyStatus } from '../../contract/notice.ts';
import type { Aside } from '../../hook/aside.ts';
import type { OtherTools } from '../../hook/other-tools.ts';
import { lostEvents } from '../../hook/disk-reserve.ts';
import type { SpoolReceiver } from '../../hook/receive.ts';
import type { Loop } from '../../live/loop.ts';
import { limitsReached } from '../../live/retention.ts';
import type { Streams } from '../../live/streams.ts';
import type { Paths } from '../../paths.ts';
import { listDamaged } from '../../store/damaged.ts';
import type { Store } from '../../store/store.ts';
import { build } from '../../version.ts';
import type { Handlers } from '../call.ts';
import { Reply } from '../reply.ts';
import { metricsText } from '../metrics.ts';
import { isQueued } from '../../session/queue/queue.ts';
import { openapi } from '../openapi.ts';
import { checkedId } from '../router.ts';
import { findSession } from './sessions.ts';

export interface DaemonHandlerDeps {
  paths: Paths;
  loop: Loop;
  streams: Streams;
  receive: SpoolReceiver;
  aside: Aside;
  otherTools: Pick<OtherTools, 'count'>;
  store: Store;
  clock: Clock;
  startedAt: number;
  lastHookAt: () => number | null;
  url: () => string | null;
  errors: () => string[];
  warm: () => Status['warm'];
  notify: () => NotifyStatus;
  config: () => ConfigStatus;
  /** Dialogs that could not be read. */
  unread: () => CliStatus['unread'];
  fleet: () => FleetStatus;
  forget: (wanted: Forget) => Promise<Forgotten>;
  stop: () => void;
}

export const daemonHandlers = (
  deps: DaemonHandlerDeps,
): Pick<Handlers, 'health' | 'metrics' | 'openapi' | 'status' | 'forget' | 'stop'> => {
  return {
    health: () => ({ ok: true, version: build }),
    status: () => statusOf(deps, deps.lastHookAt()),
    metrics: () =>
      new Reply({
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
        bytes: metricsText(
          statusOf(deps, deps.lastHookAt()),
          deps.streams.counts,
          deps.fleet(),
          deps.clock.now(),
        ),
      }),
    openapi: () => openapi(),
    stop: () => {
      setImmediate(deps.stop);
      return { ok: true };
    },
    forget: ({ body, action }) => {
      action.text = body.id ?? (body.all ? 'all' : `before ${new Date(body.before ?? 0).toISOString()}`);
      const { id } = body;
      return deps.forget(
        id === undefined ? body : { id: findSession(deps.loop.sessionIndex, checkedId(id)).id },
      );
    },
  };
};

const statusOf = (deps: DaemonHandlerDeps, lastHookAt: number | null): Status => {
  const { paths, loop, store, receive, aside, otherTools, streams } = deps;
  const totals = store.log.totals();
  const live = loop.sessionIndex.live();
  return {
    version: build,
    pid: process.pid,
    url: deps.url(),
    home: paths.home,
    startedAt: deps.startedAt,
    events: {
      kept: totals.events,
      bytes: totals.bytes,
      last: store.log.lastSeq(),
      sinceStart: loop.counts.taken,
      doubled: loop.counts.doubled,
      lastHookAt,
    },
    sessions: {
      known: loop.sessionIndex.all().length,
      live: live.length,
      silent: live.filter(session => session.hooks === 'silent').length,
      waiting: live.filter(session => session.state === 'waiting' && isQueued(session)).length,
    },
    spool: {
      files: receive.depth,
      dropped: sizeOf(paths.dropped),
      aside: aside.count,
      otherTools: otherTools.count,
      unsent: sizeOf(paths.unsent),
      full: sizeOf(paths.full, -1) >= 0,
    },
    faults: {
      unreadableRows: store.unreadable.count,
      damaged: listDamaged(paths.damaged),
      disk: diskOf(deps),
      limits: limitsOf(store),
    },
    readers: streams.size,
    warm: deps.warm(),
    notify: deps.notify(),
    config: deps.config(),
    cli: { newestTested, untested: untestedOf(live.map(session => session.version)), unread: deps.unread() },
    errors: deps.errors(),
  };
};

const diskOf = ({ paths, loop }: DaemonHandlerDeps): Status['faults']['disk'] => {
  const { count, lastAt } = lostEvents(paths);
  const fullAt = Math.max(lastAt ?? 0, loop.diskFullAt ?? 0);
  return { lost: count, fullAt: fullAt || null };
};

const limitsOf = (store: Store): Status['faults']['limits'] => {
  const { session, total } = limitsReached(store);
  return [
    ...(session ? [{ limit: 'session' as const, ...session }] : []),
    ...(total ? [{ limit: 'total' as const, ...total }] : []),
  ];
};

const sizeOf = (file: string, absent = 0): number =>
  statSync(file, { throwIfNoEntry: false })?.size ?? absent;
