/** The queue: claim, skip, snooze, dismiss and restore, and who has looked. Each is recorded as an event. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Next, Order, QueueItem } from '../../contract/queue.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { acts, deferralOf } from '../../session/deferral.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { headFor, isQueued, type Queued, queueOf } from '../../session/queue.ts';
import { isSeen } from '../../session/state-text.ts';
import { firstMidnight, statsOf } from '../../session/stats.ts';
import { timing } from '../../session/timing.ts';
import { timelineOf } from '../../session/timeline.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../call.ts';
import { findSession } from './sessions.ts';
import { shortId } from '../../contract/short-id.ts';

export const queueHandlers = (
  loop: Loop,
  store: Pick<Store, 'waits' | 'spans'>,
  clock: Clock,
  order: () => Order,
  onPageLook: (id: string) => void = () => {},
): Pick<
  Handlers,
  | 'readQueue'
  | 'nextInQueue'
  | 'skipSession'
  | 'snoozeSession'
  | 'dismissSession'
  | 'undoDeferral'
  | 'seeSession'
  | 'stats'
  | 'timeline'
> => {
  const queue = () => queueOf(loop.sessionIndex.live(), clock.now(), order());
  const act = (name: string, session: Folded, payload: object = {}): Promise<void> => {
    const kept = loop.take([{ draft: ownEvent(name, session.id, clock.now(), payload) }]);
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
  /** Claims the head. A session that is answered at the same moment is skipped. */
  const claimed = async (client: string): Promise<QueueItem | null> => {
    for (;;) {
      const head = headFor(queue(), client);
      if (!head) return null;
      await act(acts.claim, head.session, { by: client, until: clock.now() + timing.claimHolds });
      const found = queue().find(({ session }) => session.id === head.session.id);
      if (found) return view(found);
    }
  };
  return {
    readQueue: () => ({ order: order(), items: queue().map(view) }),
    nextInQueue: async ({ body: { client = randomUUID() } }): Promise<Next> => {
      const next = await claimed(client);
      const now = queue();
      const deferred = now.filter(item => item.deferred !== null).length;
      return { next, waiting: now.length, deferred };
    },
    skipSession: async ({ params: { id } }) => {
      const session = waiting(id);
      await act(acts.skip, session);
      return itemOf(session.id);
    },
    snoozeSession: async ({ params: { id }, body: { seconds }, action }) => {
      action.text = `${seconds} s`;
      const session = waiting(id);
      await act(acts.snooze, session, { until: clock.now() + Math.round(seconds * 1_000) });
      return itemOf(session.id);
    },
    dismissSession: async ({ params: { id } }) => {
      const session = waiting(id);
      await act(acts.dismiss, session);
      return itemOf(session.id);
    },
    undoDeferral: async ({ params: { id } }) => {
      const session = waiting(id);
      const { skipped = null, snoozed = null, dismissed = null } = deferralOf(session) ?? {};
      if (skipped === null && snoozed === null && dismissed === null)
        throw new DroverError('refused', `${shortId(session.id)} was not skipped, snoozed or dismissed.`);
      await act(acts.undo, session);
      return itemOf(session.id);
    },
    seeSession: async ({ params: { id }, caller }) => {
      const session = findSession(loop.sessionIndex, id);
      if (caller.kind === 'page') onPageLook(session.id);
      if (session.state === 'waiting' && !isSeen(session)) await act(acts.see, session);
      return shown(findSession(loop.sessionIndex, session.id));
    },
    stats: ({ query }) => {
      const days = Number(query.get('days') ?? limits.stats.defaultDays);
      if (!Number.isInteger(days) || days < 1 || days > limits.stats.maxDays)
        throw new DroverError('bad_request', `days is a number from 1 to ${limits.stats.maxDays}.`);
      const now = clock.now();
      const open = queue().map(({ session }) => session);
      return statsOf(store.waits.read(firstMidnight(now, days)), open, now, days);
    },
    timeline: ({ query }) => {
      const now = clock.now();
      const hours = query.get('hours');
      if (hours !== null && !(Number(hours) > 0 && Number(hours) <= limits.stats.timelineHours))
        throw new DroverError('bad_request', `hours is a number up to ${limits.stats.timelineHours}.`);
      const from = hours === null ? firstMidnight(now, 1) : Math.round(now - Number(hours) * 3_600_000);
      return timelineOf(store.spans.read(from), loop.sessionIndex.live(), from, now);
    },
  };
};

const view = ({ session, ...rest }: Queued<Folded>): QueueItem => ({ session: shown(session), ...rest });
