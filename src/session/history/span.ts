/** A period in which a session stayed in one state. */
import type { Session, State, Reason } from '../../contract/session.ts';

export interface Span {
  sessionId: string;
  since: number;
  until: number;
  state: State;
  reason: Reason | null;
  project: string | null;
}

/** Returns the span that this change ends; null when there is none. There is no span after the end of a session. */
export const spanOver = (before: Session | undefined, after: Session): Span | null => {
  if (!before || before.state === 'ended' || before.headless || after.headless) return null;
  if (after.state === before.state && after.since === before.since) return null;
  return { ...spanOf(before, Math.max(before.since, after.since)) };
};

/** Returns the present span of a session, up to a time. */
export const spanOf = ({ id, since, state, reason, project }: Session, until: number): Span => ({
  sessionId: id,
  since,
  until,
  state,
  reason,
  project,
});
