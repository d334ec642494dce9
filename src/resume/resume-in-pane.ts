/** Resume a session for a caller without a terminal: in a new window of the tmux session it was in. */
import { randomUUID } from 'node:crypto';
import type { Resumed } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import type { Place } from '../tmux/server/open-pane.ts';
import { tmuxSessionName } from '../tmux/server/session.ts';
import { normalizeId, matchId } from './match-id.ts';
import { type ResumeDeps, openSession, planResume, type Starter } from './open-session.ts';

export interface ResumeInPaneDeps extends ResumeDeps {
  sessionOf: (id: string) => Session | undefined;
  /** The tmux server for sessions that were never in tmux. */
  socket: string;
}

/** Resume a session in a new window; throws when it cannot be resumed. `start` replaces the start for a person. */
export const resumeInPane = async (
  deps: ResumeInPaneDeps,
  prefix: string,
  fork: boolean,
  start?: Starter,
): Promise<Resumed> => {
  const found = matchId(
    normalizeId(prefix),
    deps.transcripts.map(({ id }) => id),
  );
  if (found.kind === 'none') throw new DroverError('no_session', `No session begins with ${prefix}.`);
  if (found.kind === 'several')
    throw new DroverError(
      'ambiguous',
      `${found.ids.length} sessions begin with ${prefix}: ${found.ids.slice(0, 5).join(', ')}.`,
    );
  const session = deps.sessionOf(found.id) ?? null;
  const plan = planResume(deps, found.id, session, fork ? randomUUID() : undefined);
  // A fork that Drover manages ends with its tmux session, so it must not share one.
  const own =
    start && plan.copy
      ? { id: plan.copy, pane: null, parked: false }
      : { id: plan.id, pane: session?.pane ?? null, parked: session?.parked ?? false };
  const { socket, pane, argv } = await openSession(deps, plan, placeOf(own, deps.socket), start);
  return { ...plan, argv, pane: { socket, id: pane } };
};

/** Choose a new window in the tmux session it was in, else a new tmux session. A parked one gets its old window's name and number. */
const placeOf = ({ id, pane, parked }: Pick<Session, 'id' | 'pane' | 'parked'>, socket: string): Place => ({
  socket: pane?.socket ?? socket,
  session: pane?.session ?? tmuxSessionName(id),
  window: parked && pane && pane.windowIndex !== null ? { index: pane.windowIndex, name: pane.window } : null,
});
