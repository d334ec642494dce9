/** The queue: claim, skip, snooze, dismiss and restore, and who has looked. Each is recorded as an event. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Next, Order, QueueItem } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Loop } from '../../live/loop.ts';
import { queueEvents, deferralOf } from '../../session/queue/deferral.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { isQueued, type Queued, queueOf } from '../../session/queue/queue.ts';
import { isSeen } from '../../session/state-text.ts';
import type { Call, Handlers } from '../call.ts';
import { isLocalOnly } from '../scope.ts';
import { Claims } from '../claims.ts';
import { RemoteClaims } from '../fleet/remote-claims.ts';
import { findSession } from './sessions.ts';
import { shortId } from '../../contract/short-id.ts';

export const queueHandlers = (
  loop: Loop,
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
> => {
  const remote = new RemoteClaims(peers, clock);
  const queue = () => queueOf(loop.sessionIndex.live(), clock.now(), order());
  /** The queue over the sessions of other hosts too, unless the call asks for those of this one. */
  const wholeQueue = async ({ query }: Call): Promise<Queued[]> => {
    const elsewhere = isLocalOnly(query) ? [] : await remote.sessions();
    return queueOf<Session>([...loop.sessionIndex.live(), ...elsewhere], clock.now(), order());
  };
  const record = (name: string, session: Folded, payload: object): Promise<void> =>
    loop.append([{ draft: ownEvent(name, session.id, clock.now(), payload) }]);
  const claims = new Claims({ sessionIndex: loop.sessionIndex, clock, remote, record });
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
  return {
    readQueue: async call => ({ order: order(), items: (await wholeQueue(call)).map(view) }),
    nextInQueue: async (call): Promise<Next> => {
      const client = call.body.client ?? randomUUID();
      const { next, from } = await claims.next(() => wholeQueue(call), client, call.caller);
      const isDeferred = ({ session, deferred }: Queued) =>
        deferred !== null || session.id === next?.session.id;
      return { next: next && view(next), waiting: from.length, deferred: from.filter(isDeferred).length };
    },
    claimSession: async ({ params: { id }, body: { client = randomUUID() }, caller }) => {
      const session = waiting(id);
      // Two hosts may use the same name for a client.
      const by = caller.kind === 'host' ? `${caller.name}: ${client}` : client;
      await claims.claim(session, by);
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
  };
};

const view = ({ session, ...rest }: Queued): QueueItem => ({
  session: 'memory' in session ? shown(session as Folded) : session,
  ...rest,
});
