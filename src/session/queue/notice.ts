/** Which sessions have waited long enough for a notification. */
import type { Session } from '../../contract/session.ts';
import { deferralOf } from './deferral.ts';
import { hasDeadline, isAsking, isBlocked, type Queued } from './queue.ts';

export interface NoticeDelays {
  /** How long a session that is blocked waits, ms. */
  blockedAfter: number;
  /** How long after the first finished session a digest is due, ms; null for never. */
  finishedAfter: number | null;
  /** The same for one whose turn had denied calls. */
  deniedAfter: number | null;
  /** One notice per wait, and a finished session is due by itself. */
  oncePerWait: boolean;
}

/** Returns the sessions to notify about now, and when the next one is due. Deferred sessions are not due until their deferral ends. */
export const noticesDue = <T extends Session>(
  queue: Queued<T>[],
  now: number,
  delays: NoticeDelays,
): { due: T[]; next: number | null } => {
  const open = queue.flatMap(({ session, deferred, until }) => {
    const at = dueAt(session, delays);
    return at === null || (deferred !== null && until === null)
      ? []
      : [{ session, at: Math.max(at, until ?? 0), isDeferred: deferred !== null }];
  });
  const later = open.filter(({ at }) => at > now).map(({ at }) => at);
  // One digest: a finished session that is due takes along those that finished after it.
  const hasDigest = !delays.oncePerWait && open.some(({ session, at }) => at <= now && !needsPerson(session));
  const isDue = ({ session, at, isDeferred }: (typeof open)[number]) =>
    at <= now || (hasDigest && !isDeferred && !needsPerson(session));
  return {
    due: open.filter(isDue).map(({ session }) => session),
    next: later.length ? Math.min(...later) : null,
  };
};

/** Returns when the last notification about the present wait was sent; 0 for never. */
export const notifiedAt = (session: Session): number => deferralOf(session)?.notified ?? 0;

/** Whether it cannot continue by itself: it is blocked, asks something, or has stalled. Otherwise it has finished. */
export const needsPerson = (session: Session): boolean =>
  isBlocked(session) || isAsking(session) || session.state !== 'waiting';

const delayOf = (session: Session, delays: NoticeDelays): number | null => {
  if (needsPerson(session)) return delays.blockedAfter;
  return session.denied?.turn ? delays.deniedAfter : delays.finishedAfter;
};

/**
 * Returns when a request with a deadline asked, if no notification has been sent since: it is due at once, whatever the delays
 * and cooldowns are.
 */
export const urgentAt = (session: Session): number | null => {
  if (!hasDeadline(session)) return null;
  const asked = session.requests.filter(({ deadline }) => deadline !== undefined).map(({ at }) => at);
  const last = asked.length > 0 ? Math.max(...asked) : session.since;
  return last > notifiedAt(session) ? last : null;
};

/** Returns when a notification is due, also in the past; null when none is left to send. */
const dueAt = (session: Session, delays: NoticeDelays): number | null => {
  const urgent = urgentAt(session);
  if (urgent !== null) return urgent;
  const after = delayOf(session, delays);
  if (after === null) return null;
  const notified = notifiedAt(session);
  const since = session.state === 'waiting' ? session.since : (session.stalled?.since ?? session.since);
  const snoozed = deferralOf(session)?.snoozed ?? 0;
  const first = Math.max(since + after, snoozed);
  if (delays.oncePerWait) return first > notified ? first : null;
  if (notified === 0 || notified < since || notified < snoozed) return first;
  // The notice was about the requests that were open then; a later one needs its own.
  const later = session.requests.filter(({ at }) => at > notified).map(({ at }) => at);
  return later.length ? Math.min(...later) + after : null;
};
