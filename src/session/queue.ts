/**
 * The queue: the sessions that wait for a human, in the order in which they are served. Pure; every view of it (HTTP, CLI,
 * board, tmux) is made from this one function.
 */
import type { Held, Order } from '../contract/queue.ts';
import type { Reason, Session } from '../contract/session.ts';
import { holdOf } from './deferral.ts';
import { timing } from './timing.ts';

export interface Queued<T extends Session = Session> {
  session: T;
  /** 1 for the first. */
  place: number;
  /** Null: `next` may go there. */
  held: Held | null;
  /** When it is no longer held, ms; null where only a change of its state ends that. */
  until: number | null;
}

/**
 * The waiting sessions in order, held ones too. `next` is the first that is not held.
 * `fifo`: who waits longest comes first. `reason`: who is stopped in the middle of a turn comes first.
 */
export const queueOf = <T extends Session>(
  sessions: Iterable<T>,
  now: number,
  order: Order = 'fifo',
): Queued<T>[] =>
  Array.from(sessions)
    .filter(isQueued)
    .map(session => ({ session, rank: order === 'fifo' ? 0 : rankOf(session), turn: turnOf(session) }))
    .sort((a, b) => a.rank - b.rank || a.turn - b.turn || (a.session.id < b.session.id ? -1 : 1))
    .map(({ session }, n) => ({ session, place: n + 1, ...heldBy(session, now) }));

/** It waits for a human, or it has stalled and the config says that this is for the queue too. */
export const isQueued = ({ state, stalled, headless }: Session): boolean =>
  !headless && (state === 'waiting' || (state !== 'ended' && stalled?.queued === true));

/** The first that is not held; for a client that has only claims of its own left, the oldest of those. */
export const headFor = <T extends Session>(queue: Queued<T>[], client: string | null): Queued<T> | null =>
  queue.find(({ held }) => held === null) ??
  queue.find(({ held, session }) => held === 'claimed' && holdOf(session)?.claim?.by === client) ??
  null;

/** When the next session of the queue is no longer held, ms; null when no clock changes anything. */
export const queueChangesAt = (queue: Queued[]): number | null => {
  const times = queue.flatMap(({ until }) => until ?? []);
  return times.length ? Math.min(...times) : null;
};

/** Since when it stands in line: a skip puts it to the tail as of then, behind who came in the same moment. */
const turnOf = (session: Session): number =>
  Math.max(session.stalled?.since ?? session.since, (holdOf(session)?.skipped ?? 0) + 0.5);

const rankOf = (session: Session): number =>
  holdOf(session)?.skipped || session.reason === null ? ranks.length : ranks.indexOf(session.reason);

/** In order `reason`: a dialog holds up a turn, a failed or interrupted one wants a look, a finished one can wait. */
const ranks: Reason[] = [
  'permission',
  'question',
  'plan',
  'elicitation',
  'dialog',
  'failed',
  'interrupted',
  'stopped',
];

const heldBy = (session: Session, now: number): Pick<Queued, 'held' | 'until'> => {
  const hold = holdOf(session);
  if (!hold) return { held: null, until: null };
  if (hold.dismissed !== null && hold.dismissed === session.reason) return { held: 'dismissed', until: null };
  if (hold.snoozed !== null && hold.snoozed > now) return { held: 'snoozed', until: hold.snoozed };
  const cooled = (hold.skipped ?? Number.NEGATIVE_INFINITY) + timing.skipCools;
  if (cooled > now) return { held: 'skipped', until: cooled };
  if (hold.claim && hold.claim.until > now) return { held: 'claimed', until: hold.claim.until };
  return { held: null, until: null };
};
