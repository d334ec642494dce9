/**
 * The queue: the sessions that wait for a human, in the order in which they are served. Every view of it (HTTP, CLI,
 * board, tmux) is made from this one pure function.
 */
import { idParts, unverifiedOrigin } from '../../contract/origin.ts';
import type { Deferred, Order } from '../../contract/queue.ts';
import type { Reason, Session } from '../../contract/session.ts';
import { deferralOf } from './deferral.ts';
import { timing } from '../timing.ts';

export interface Queued<T extends Session = Session> {
  session: T;
  /** 1 for the first. */
  position: number;
  /** Null: `next` may return it. */
  deferred: Deferred | null;
  /** When the deferral ends, ms; null when only a change of state ends it. */
  until: number | null;
}

/**
 * Returns the waiting sessions in order, including deferred ones. `next` is the first that is not deferred.
 * `blocked-first`: those that a dialog or an error blocks, then those whose turn ended with a question, then those that are
 * done, each by the longest wait.
 * `fifo`: by the longest wait alone.
 */
export const queueOf = <T extends Session>(
  sessions: Iterable<T>,
  now: number,
  order: Order = 'blocked-first',
): Queued<T>[] =>
  withoutDuplicates(Array.from(sessions))
    .filter(isQueued)
    .map(session => ({ session, rank: order === 'fifo' ? 0 : rankOf(session), queuedAt: queuedAt(session) }))
    .sort((a, b) => a.rank - b.rank || a.queuedAt - b.queuedAt || (a.session.id < b.session.id ? -1 : 1))
    .map(({ session }, n) => ({ session, position: n + 1, ...deferredBy(session, now) }));

/** Leaves out unverified sessions that are also known from their own files: they would be listed twice. */
const withoutDuplicates = <T extends Session>(sessions: T[]): T[] => {
  if (!sessions.some(({ origin }) => origin === unverifiedOrigin)) return sessions;
  const here = new Set(
    sessions.flatMap(({ id, origin, state }) => (origin === null && state !== 'ended' ? id : [])),
  );
  return sessions.filter(({ id, origin }) => origin !== unverifiedOrigin || !here.has(idParts(id).own));
};

/** Whether it waits for a human, or has stalled where the config queues stalled sessions. */
export const isQueued = (session: Session): boolean => {
  const { state, stalled, headless } = session;
  if (headless || isAtLimit(session)) return false;
  return state === 'waiting' || (state !== 'ended' && stalled?.queued === true);
};

/** Whether it waits for the reset of a usage limit: nobody can unblock it. */
export const isAtLimit = ({ limit }: Session): boolean => limit != null && !limit.isOver;

/** Returns the first that is not deferred; for a client with nothing but its own claims left, the oldest of those. */
export const headFor = <T extends Session>(queue: Queued<T>[], client: string | null): Queued<T> | null =>
  queue.find(({ deferred }) => deferred === null) ??
  queue.find(
    ({ deferred, session }) => deferred === 'claimed' && deferralOf(session)?.claim?.by === client,
  ) ??
  null;

/** Returns when the next deferral ends, ms; null when the time alone changes nothing. */
export const queueChangesAt = (queue: Queued[]): number | null => {
  const times = queue.flatMap(({ until }) => until ?? []);
  return times.length ? Math.min(...times) : null;
};

/** When it joined the queue. A skip counts as joining again, behind those that joined at the same time. */
const queuedAt = (session: Session): number =>
  Math.max(session.stalled?.since ?? session.since, (deferralOf(session)?.skipped ?? 0) + 0.5);

/** Blocked sessions come first, then those that ask. A skipped one goes behind all that wait, so it counts as done. */
const rankOf = (session: Session): number => {
  if (deferralOf(session)?.skipped) return 2;
  return isBlocked(session) ? 0 : isAsking(session) ? 1 : 2;
};

/** Whether its turn ended with a question, so that it cannot go on without an answer. */
export const isAsking = ({ outcome }: Partial<Pick<Session, 'outcome'>>): boolean => outcome?.kind === 'asks';

/** Whether a session cannot continue: its dialog waits for an answer, or its turn failed. */
export const isBlocked = ({ reason }: Pick<Session, 'reason'>): boolean =>
  reason !== null && blocked.has(reason);

const blocked = new Set<Reason>(['permission', 'question', 'plan', 'elicitation', 'dialog', 'failed']);

const deferredBy = (session: Session, now: number): Pick<Queued, 'deferred' | 'until'> => {
  if (session.fleet?.isAway) return { deferred: 'away', until: null };
  const deferral = deferralOf(session);
  if (!deferral) return { deferred: null, until: null };
  if (deferral.dismissed !== null && deferral.dismissed === session.reason)
    return { deferred: 'dismissed', until: null };
  if (deferral.snoozed !== null && deferral.snoozed > now)
    return { deferred: 'snoozed', until: deferral.snoozed };
  const cooled = (deferral.skipped ?? Number.NEGATIVE_INFINITY) + timing.skipPeriod;
  if (cooled > now) return { deferred: 'skipped', until: cooled };
  if (deferral.claim && deferral.claim.until > now)
    return { deferred: 'claimed', until: deferral.claim.until };
  return { deferred: null, until: null };
};
