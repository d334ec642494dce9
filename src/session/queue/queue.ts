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
 * First come those that Claude Code denies by itself at a deadline, the earliest first. Then, for `blocked-first`: those that a dialog or
 * an error blocks, those whose turn ended with a question, and those that are done, each by the longest wait. `fifo`: by the longest
 * wait alone.
 */
export const queueOf = <T extends Session>(
  sessions: Iterable<T>,
  now: number,
  order: Order = 'blocked-first',
): Queued<T>[] =>
  withoutDuplicates(Array.from(sessions), now)
    .filter(isQueued)
    .map(session => ({ session, rank: rankOf(session, order), queuedAt: queuedAt(session) }))
    .sort((a, b) => a.rank - b.rank || a.queuedAt - b.queuedAt || (a.session.id < b.session.id ? -1 : 1))
    .map(({ session }, n) => ({ session, position: n + 1, ...deferredBy(session, now) }));

/** Leaves out unverified sessions that are also known from their own files, unless those contradict them. */
const withoutDuplicates = <T extends Session>(sessions: T[], now: number): T[] => {
  const hidden = new Set(hiddenUntil(sessions).flatMap(({ session, until }) => (until > now ? session : [])));
  return hidden.size === 0 ? sessions : sessions.filter(session => !hidden.has(session));
};

/**
 * The unverified sessions that are known here too, and until when the queue leaves them out. They would be listed twice. One that
 * waits while the session here has been at work since before that may be right: Claude's files may have stopped telling the truth.
 */
const hiddenUntil = <T extends Session>(sessions: T[]): { session: T; until: number }[] => {
  const unverified = sessions.filter(({ origin }) => origin === unverifiedOrigin);
  if (unverified.length === 0) return [];
  const here = new Map(
    sessions.flatMap(one => (one.origin === null && one.state !== 'ended' ? [[one.id, one] as const] : [])),
  );
  return unverified.flatMap(session => {
    const own = here.get(idParts(session.id).own);
    if (!own) return [];
    const isContradicted = (own.state === 'working' || own.state === 'ready') && own.since <= session.since;
    return {
      session,
      until: isContradicted ? session.since + timing.contradiction : Number.POSITIVE_INFINITY,
    };
  });
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

/** Returns when the time alone next changes the queue, ms: a deferral ends, or a hidden session appears; null for never. */
export const queueChangesAt = (queue: Queued[], sessions: Session[] = [], now = 0): number | null => {
  const appear = hiddenUntil(sessions).filter(({ until }) => until > now && Number.isFinite(until));
  const times = [...queue.flatMap(({ until }) => until ?? []), ...appear.map(({ until }) => until)];
  return times.length ? Math.min(...times) : null;
};

/** When it joined the queue. A skip counts as joining again, behind those that joined at the same time. */
const queuedAt = (session: Session): number =>
  hasDeadline(session) && !deferralOf(session)?.skipped ? (session.deadline as number) : joinedAt(session);

const joinedAt = (session: Session): number =>
  Math.max(session.stalled?.since ?? session.since, (deferralOf(session)?.skipped ?? 0) + 0.5);

/**
 * Those with a deadline come first, then blocked sessions, then those that ask. A skipped one goes behind all that wait, so it counts
 * as done.
 */
const rankOf = (session: Session, order: Order): number => {
  const isSkipped = Boolean(deferralOf(session)?.skipped);
  if (hasDeadline(session) && !isSkipped) return -1;
  if (order === 'fifo') return 0;
  if (isSkipped) return 2;
  return isBlocked(session) ? 0 : isAsking(session) ? 1 : 2;
};

/** Whether its turn ended with a question, so that it cannot go on without an answer. */
export const isAsking = ({ outcome }: Partial<Pick<Session, 'outcome'>>): boolean => outcome?.kind === 'asks';

/** Whether Claude Code denies its request by itself soon. */
export const hasDeadline = ({ state, deadline }: Pick<Session, 'state' | 'deadline'>): boolean =>
  state === 'waiting' && deadline !== null;

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
