/** Which sessions have waited long enough for a notification. */
import type { Session } from '../contract/session.ts';
import { deferralOf } from './deferral.ts';
import type { Queued } from './queue.ts';

/** Returns the sessions to notify about now, and when the next one is due. Deferred sessions are not due until their deferral ends. */
export const noticesDue = <T extends Session>(
  queue: Queued<T>[],
  now: number,
  after: number,
): { due: T[]; next: number | null } => {
  const open = queue
    .filter(
      ({ session, deferred, until }) =>
        dueAt(session, after) > notifiedAt(session) && (deferred === null || until),
    )
    .map(({ session, until }) => ({ session, at: Math.max(dueAt(session, after), until ?? 0) }));
  const later = open.filter(({ at }) => at > now).map(({ at }) => at);
  return {
    due: open.filter(({ at }) => at <= now).map(({ session }) => session),
    next: later.length ? Math.min(...later) : null,
  };
};

/** Returns when the last notification about the present wait was sent; 0 for never. */
export const notifiedAt = (session: Session): number => deferralOf(session)?.notified ?? 0;

const dueAt = (session: Session, after: number): number =>
  Math.max(session.since + after, deferralOf(session)?.snoozed ?? 0);
