/** Goes to a session that is already running, instead of starting it twice. */
import { DroverError } from '../../contract/error.ts';
import type { SessionProcess } from '../../resume/session-process.ts';
import { currentPane } from '../../tmux/server/pane-session.ts';
import { attach, visit, visitCommand } from '../../tmux/keys/visit.ts';
import { canAsk } from '../output/question.ts';
import { printPlan } from '../output/print-plan.ts';
import { placeText, terminalPlaceOf } from '../../terminal-place.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

const placeOf = (pid: number | null): string => {
  const place = pid === null ? null : terminalPlaceOf(pid);
  return place ? `, in ${placeText(place)}` : '';
};

/** Switches to the pane of a running session, or reports where it runs. */
export const goToRunning = async (
  call: Call,
  id: string,
  running: SessionProcess,
  dir: string | null,
): Promise<number> => {
  const short = shortId(id);
  const { pane } = running;
  if (!pane) {
    const at = running.host
      ? `on ${running.host}`
      : `in process ${running.pid}, outside tmux${placeOf(running.pid)}`;
    throw new DroverError('refused', `Session ${short} is running ${at}.`, 'Start a copy with --fork.');
  }
  if (flag(call, 'dry-run'))
    return printPlan(call, { id, dir: dir ?? call.cwd, argv: visitCommand(pane), live: true });
  const here = currentPane(call.env);
  if (here?.socket === pane.socket) {
    if (here.pane === pane.pane)
      throw new DroverError('refused', `Session ${short} is running in this pane.`, 'Try `fg`.');
    const problem = await visit(pane, here);
    if (problem) throw new DroverError('failed', `Session ${short} is running in ${pane.pane}: ${problem}.`);
    call.out(`Session ${short} is running in ${pane.pane}; switched to it`);
    return 0;
  }
  if (here || !canAsk())
    throw new DroverError(
      'refused',
      `Session ${short} is running in pane ${pane.pane} of the tmux server at ${pane.socket}.`,
      'Go there, or start a copy with --fork.',
    );
  const code = await attach(pane, call.env);
  if (code !== 0) throw new DroverError('failed', `tmux could not attach to ${pane.pane}.`);
  return 0;
};
