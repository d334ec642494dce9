/** A session taken up again for somebody who is not at this terminal: in a window of the tmux session it was in. */
import { join } from 'node:path';
import type { Resumed } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import type { Env } from '../paths.ts';
import type { Place } from '../tmux/open-pane.ts';
import { digitsOf, match } from './match.ts';
import { type Ground, openSession, quietPlan } from './open.ts';

/** Starts it in a new window; throws what stands in its way. */
export const resumeInPane = async (
  ground: Ground,
  prefix: string,
  fork: boolean,
  sessionOf: (id: string) => Session | undefined,
): Promise<Resumed> => {
  const found = match(
    digitsOf(prefix),
    ground.transcripts.map(({ id }) => id),
  );
  if (found.kind === 'none') throw new DroverError('no_session', `No transcript begins with ${prefix}.`);
  if (found.kind === 'several')
    throw new DroverError(
      'ambiguous',
      `${found.ids.length} sessions begin with ${prefix}: ${found.ids.slice(0, 5).join(', ')}.`,
    );
  const session = sessionOf(found.id) ?? null;
  const plan = quietPlan(ground, found.id, session, fork);
  const place = placeOf(session, found.id, ground.env);
  const { socket, pane } = await openSession(ground, plan, place, fork);
  return { ...plan, pane: { socket, id: pane } };
};

/** A new window in the tmux session it was in, else a tmux session of its own on the default server. */
const placeOf = (session: Session | null, id: string, env: Env): Place => ({
  socket:
    session?.pane?.socket ?? join(env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`, 'default'),
  session: session?.pane?.session ?? `claude-${id.slice(0, 8)}`,
  window: null,
});
