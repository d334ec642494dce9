/** A session taken up again for somebody who is not at this terminal: in a window of the tmux session it was in. */
import { randomUUID } from 'node:crypto';
import type { Resumed } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import type { Place } from '../tmux/server/open-pane.ts';
import { tmuxSessionName } from '../tmux/server/session.ts';
import { digitsOf, match } from './match.ts';
import { type Deps, openSession, quietPlan, type Starter } from './open.ts';

export interface RemoteDeps extends Deps {
  sessionOf: (id: string) => Session | undefined;
  /** The tmux server for those that have been in none. */
  socket: string;
}

/** Starts it in a new window; throws what stands in its way. `start`: how, where it is not for a person to sit at. */
export const resumeInPane = async (
  deps: RemoteDeps,
  prefix: string,
  fork: boolean,
  start?: Starter,
): Promise<Resumed> => {
  const found = match(
    digitsOf(prefix),
    deps.transcripts.map(({ id }) => id),
  );
  if (found.kind === 'none') throw new DroverError('no_session', `No transcript begins with ${prefix}.`);
  if (found.kind === 'several')
    throw new DroverError(
      'ambiguous',
      `${found.ids.length} sessions begin with ${prefix}: ${found.ids.slice(0, 5).join(', ')}.`,
    );
  const session = deps.sessionOf(found.id) ?? null;
  const plan = quietPlan(deps, found.id, session, fork ? randomUUID() : undefined);
  // A fork of the hub's own ends with its tmux session, so it must not be in that of another one.
  const own =
    start && plan.copy ? { id: plan.copy, pane: null } : { id: plan.id, pane: session?.pane ?? null };
  const { socket, pane, argv } = await openSession(deps, plan, placeOf(own, deps.socket), start);
  return { ...plan, argv, pane: { socket, id: pane } };
};

/** A new window in the tmux session it was in, else a tmux session of its own. */
const placeOf = ({ id, pane }: Pick<Session, 'id' | 'pane'>, socket: string): Place => ({
  socket: pane?.socket ?? socket,
  session: pane?.session ?? tmuxSessionName(id),
  window: null,
});
