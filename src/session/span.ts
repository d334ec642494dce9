/** One stretch of time in which a session was in one state. */
import type { Session, State, Reason } from '../contract/session.ts';

export interface Span {
  sessionId: string;
  since: number;
  until: number;
  state: State;
  reason: Reason | null;
  project: string | null;
}

/** The span that is over by this change; null when none is. What comes after an end is no span. */
export const spanOver = (before: Session | undefined, after: Session): Span | null => {
  if (!before || before.state === 'ended' || before.headless || after.headless) return null;
  if (after.state === before.state && after.since === before.since) return null;
  return { ...spanOf(before, Math.max(before.since, after.since)) };
};

/** The span that a session is in, up to a time. */
export const spanOf = ({ id, since, state, reason, project }: Session, until: number): Span => ({
  sessionId: id,
  since,
  until,
  state,
  reason,
  project,
});
