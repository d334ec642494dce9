/** A period in which a session waited for a human. */
import type { Reason, Session } from '../../contract/session.ts';

export interface Wait {
  sessionId: string;
  since: number;
  until: number;
  reason: Reason;
  project: string | null;
  /** False: the session ended instead. */
  answered: boolean;
}

/** Returns the wait that this change ends; null when there is none. */
export const waitOver = (before: Session | undefined, after: Session): Wait | null => {
  if (before?.state !== 'waiting' || before.headless || after.headless) return null;
  // Nobody can end a usage limit.
  if (before.reason === 'limit') return null;
  if (after.state === 'waiting' && after.since === before.since) return null;
  return {
    sessionId: before.id,
    since: before.since,
    until: Math.max(before.since, after.since),
    reason: before.reason as Reason,
    project: before.project,
    answered: after.state !== 'ended',
  };
};
