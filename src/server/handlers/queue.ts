/** The queue: claim, skip, snooze, dismiss and restore, and who has looked. Each is recorded as an event. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Next, Order, QueueItem } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { Peers } from '../../fleet/peers.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { queueEvents, deferralOf } from '../../session/queue/deferral.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { headFor, isQueued, type Queued, queueOf } from '../../session/queue/queue.ts';
import { isSeen } from '../../session/state-text.ts';
import { firstMidnight, statsOf } from '../../session/history/stats.ts';
import { timing } from '../../session/timing.ts';
import { timelineOf } from '../../session/history/timeline.ts';
import type { Store } from '../../store/store.ts';
import type { Call, Handlers } from '../call.ts';
import { isLocalOnly } from '../scope.ts';
import { RemoteClaims } from '../fleet/remote-claims.ts';
import { findSession } from './sessions.ts';
import { shortId } from '../../contract/short-id.ts';

export const queueHandlers = (
  loop: Loop,
  store: Pick<Store, 'waits' | 'spans'>,
  clock: Clock,
  order: () => Order,
  onPageSeen: (id: string) => void = () => {},
  peers: () => Peers | null = () => null,
): Pick<
  Handlers,
  | 'readQueue'
  | 'nextInQueue'
  | 'claimSession'
  | 'skipSession'
  | 'snoozeSession'
  | 'dismissSession'
  | 'undoDeferral'
  | 'seeSession'
  | 'stats'
  | 'timeline'
> => {
  const claims = new RemoteClaims(peers, clock);
  const queue = () => queueOf(loop.sessionIndex.live(), clock.now(), order());
  /** The queue over these sessions of other hosts too. */
  const queueWith = (remote: Session[]) =>
    queueOf<Session>([...loop.sessionIndex.live(), ...remote], clock.now(), order());
  const readRemote = async ({ query }: Call): Promise<Session[]> =>
    isLocalOnly(query) ? [] : claims.sessions();
  const record = (name: string, session: Folded, payload: object): Promise<void> =>
    loop.append([{ draft: ownEvent(name, session.id, clock.now(), payload) }]);
  const act = (name: string, session: Folded, payload: object = {}): Promise<void> => {
    const kept = record(name, session, payload);
    // At once, so that the next request sees it.
    loop.flush();
    return kept;
  };
  const waiting = (id: string): Folded => {
    const session = findSession(loop.sessionIndex, id);
    if (!isQueued(session))
      throw new DroverError('refused', `${shortId(session.id)} is not in the queue: it is ${session.state}.`);
    return session;
  };
  const itemOf = (id: string): QueueItem => {
    const found = queue().find(({ session }) => session.id === id);
    if (!found) throw new DroverError('refused', `${shortId(id)} has left the queue.`);
    return view(found);
  };
  /** Sessions whose claim is being recorded now, here or at their host: nobody else waits for them. */
  const claiming = new Set<string>();
  const whileClaiming = async <T>(id: string, claim: () => Promise<T>): Promise<T> => {
    claiming.add(id);
    try {
      return await claim();
    } finally {
      claiming.delete(id);
    }
  };
  /** Claims the head, and returns it with the queue that it was taken from. A session that is answered at the same moment is skipped. */
  const claimNext = async (
    call: Call,
    client: string,
  ): Promise<{ next: QueueItem | null; from: Queued[] }> => {
    const taken = new Set<string>();
    const silent = new Set<string>();
    for (;;) {
      const from = queueWith(await readRemote(call));
      const head = headFor(
        from.filter(
          ({ session: { id, fleet } }) =>
            !taken.has(id) && !claiming.has(id) && !silent.has(fleet?.host ?? ''),
        ),
        client,
      );
      if (!head) return { next: null, from };
      const { session, position } = head;
      const until = clock.now() + timing.claimPeriod;
      const granted = await whileClaiming(session.id, () =>
        session.fleet ? claims.claim(session, client, call.caller) : claimOwn(session, client, until),
      );
      if (granted === 'no host') silent.add(session.fleet?.host ?? '');
      else taken.add(session.id);
      if (typeof granted === 'string' || !isQueued(granted)) continue;
      const claim = deferralOf(granted)?.claim;
      return {
        next: view({ session: granted, position, deferred: 'claimed', until: claim?.until ?? until }),
        from,
      };
    }
  };
  const claimOwn = async ({ id }: Session, by: string, until: number): Promise<Session | 'taken'> => {
    await record(queueEvents.claim, findSession(loop.sessionIndex, id), { by, until });
    return loop.sessionIndex.get(id) ?? 'taken';
  };
  return {
    readQueue: async call => ({ order: order(), items: queueWith(await readRemote(call)).map(view) }),
    nextInQueue: async (call): Promise<Next> => {
      const { next, from } = await claimNext(call, call.body.client ?? randomUUID());
      const isDeferred = ({ session, deferred }: Queued) =>
        deferred !== null || session.id === next?.session.id;
      return { next, waiting: from.length, deferred: from.filter(isDeferred).length };
    },
    claimSession: async ({ params: { id }, body: { client = randomUUID() }, caller }) => {
      const session = waiting(id);
      // Two hosts may use the same name for a client.
      const by = caller.kind === 'host' ? `${caller.name}: ${client}` : client;
      const claim = deferralOf(session)?.claim;
      const isTaken = claim && claim.by !== by && claim.until > clock.now();
      if (isTaken || claiming.has(session.id))
        throw new DroverError('refused', `Somebody else has claimed ${shortId(session.id)}.`);
      const until = clock.now() + timing.claimPeriod;
      await whileClaiming(session.id, () => record(queueEvents.claim, session, { by, until }));
      return itemOf(session.id);
    },
    skipSession: async ({ params: { id } }) => {
      const session = waiting(id);
      await act(queueEvents.skip, session);
      return itemOf(session.id);
    },
    snoozeSession: async ({ params: { id }, body: { seconds }, action }) => {
      action.text = `${seconds} s`;
      const session = waiting(id);
      await act(queueEvents.snooze, session, { until: clock.now() + Math.round(seconds * 1_000) });
      return itemOf(session.id);
    },
    dismissSession: async ({ params: { id } }) => {
      const session = waiting(id);
      await act(queueEvents.dismiss, session);
      return itemOf(session.id);
    },
    undoDeferral: async ({ params: { id } }) => {
      const session = waiting(id);
      const { skipped = null, snoozed = null, dismissed = null } = deferralOf(session) ?? {};
      if (skipped === null && snoozed === null && dismissed === null)
        throw new DroverError('refused', `${shortId(session.id)} was not skipped, snoozed or dismissed.`);
      await act(queueEvents.undo, session);
      return itemOf(session.id);
    },
    seeSession: async ({ params: { id }, caller }) => {
      const session = findSession(loop.sessionIndex, id);
      if (caller.kind === 'page') onPageSeen(session.id);
      if (session.state === 'waiting' && !isSeen(session)) await act(queueEvents.see, session);
      return shown(findSession(loop.sessionIndex, session.id));
    },
    stats: ({ query }) => {
      const days = Number(query.get('days') ?? limits.stats.defaultDays);
      if (!Number.isInteger(days) || days < 1 || days > limits.stats.maxDays)
        throw new DroverError('bad_request', `days must be a number from 1 to ${limits.stats.maxDays}.`);
      const now = clock.now();
      const open = queue().map(({ session }) => session);
      return statsOf(store.waits.read(firstMidnight(now, days)), open, now, days);
    },
    timeline: ({ query }) => {
      const now = clock.now();
      const hours = query.get('hours');
      if (hours !== null && !(Number(hours) > 0 && Number(hours) <= limits.stats.timelineHours))
        throw new DroverError('bad_request', `hours must be a number up to ${limits.stats.timelineHours}.`);
      const from = hours === null ? firstMidnight(now, 1) : Math.round(now - Number(hours) * 3_600_000);
      return timelineOf(store.spans.read(from), loop.sessionIndex.live(), from, now);
    },
  };
};

const view = ({ session, ...rest }: Queued): QueueItem => ({
  session: 'memory' in session ? shown(session as Folded) : session,
  ...rest,
});
