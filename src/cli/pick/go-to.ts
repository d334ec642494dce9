/** A session that is live already is gone to. */
import { DroverError } from '../../contract/error.ts';
import type { SessionProcess } from '../../resume/session-process.ts';
import { currentPane } from '../../tmux/server/pane-session.ts';
import { attach, visit, visitCommand } from '../../tmux/keys/visit.ts';
import { canAsk } from '../output/question.ts';
import { tellPlan } from '../output/tell-plan.ts';
import { type Call, flag } from '../verb.ts';

/** Takes the person to the pane of a session, or says where it is. */
export const goTo = async (
  call: Call,
  id: string,
  running: SessionProcess,
  dir: string | null,
): Promise<number> => {
  const short = id.slice(0, 8);
  const { pane } = running;
  if (!pane) {
    const at = running.host ? `on ${running.host}` : `in process ${running.pid}, outside tmux`;
    throw new DroverError('refused', `Session ${short} is live ${at}.`, 'Start a copy of it with --fork.');
  }
  if (flag(call, 'dry-run'))
    return tellPlan(call, { id, dir: dir ?? call.cwd, argv: visitCommand(pane), live: true });
  const here = currentPane(call.env);
  if (here?.socket === pane.socket) {
    if (here.pane === pane.pane)
      throw new DroverError('refused', `Session ${short} is live in this very pane.`, 'Try `fg`.');
    const problem = await visit(pane, here);
    if (problem) throw new DroverError('failed', `Session ${short} is live in ${pane.pane}: ${problem}.`);
    call.out(`session ${short} is live in ${pane.pane}: there you are`);
    return 0;
  }
  if (here || !canAsk())
    throw new DroverError(
      'refused',
      `Session ${short} is live in pane ${pane.pane} of the tmux server at ${pane.socket}.`,
      'Go there, or start a copy of it with --fork.',
    );
  const code = await attach(pane, call.env);
  if (code !== 0) throw new DroverError('failed', `tmux could not attach to ${pane.pane}.`);
  return 0;
};
