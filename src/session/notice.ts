/** Who has waited for so long that somebody who is away should be told. */
import type { Session } from '../contract/session.ts';
import { holdOf } from './deferral.ts';
import type { Queued } from './queue.ts';

/** Those that are due, and when the next one will be. A session that is passed over is not; one whose snooze is over is again. */
export const noticesDue = <T extends Session>(
  queue: Queued<T>[],
  now: number,
  after: number,
): { due: T[]; next: number | null } => {
  const open = queue
    .filter(
      ({ session, held, until }) => dueAt(session, after) > notifiedAt(session) && (held === null || until),
    )
    .map(({ session, until }) => ({ session, at: Math.max(dueAt(session, after), until ?? 0) }));
  const later = open.filter(({ at }) => at > now).map(({ at }) => at);
  return {
    due: open.filter(({ at }) => at <= now).map(({ session }) => session),
    next: later.length ? Math.min(...later) : null,
  };
};

/** When somebody was last told of its present wait; 0 for never. */
export const notifiedAt = (session: Session): number => holdOf(session)?.notified ?? 0;

const dueAt = (session: Session, after: number): number =>
  Math.max(session.since + after, holdOf(session)?.snoozed ?? 0);
