/** Goes to the pane of a session, for `next` and `go`. */
import { DroverError } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { quote } from '../../quote.ts';
import { isElsewhere, whereOf } from '../../contract/origin.ts';
import { type TmuxClient, attach, attachCommand, checkPane, jump, link } from '../../tmux/keys/jump.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

/** Switches the tmux client, attaches this terminal, or prints the command that attaches. */
export const goToPane = async (
  call: Call,
  tmuxClient: TmuxClient | null,
  session: Session,
): Promise<number> => {
  const { pane } = session;
  if (!pane)
    throw new DroverError('refused', noPaneText(session), 'Only a session in a tmux pane can be opened.');
  const name = `${shortId(session.id)} (${session.project ?? '-'}, ${session.state}${session.reason ? `/${session.reason}` : ''})`;
  const report = (moved: boolean, command: string | null) => {
    if (flag(call, 'json')) call.out(JSON.stringify({ session, moved, command }));
    else if (command) call.out(command);
  };
  if (tmuxClient?.socket === pane.socket) {
    await (flag(call, 'link') ? link : jump)(tmuxClient, pane);
    report(true, null);
    return 0;
  }
  await checkPane(pane);
  const argv = attachCommand(pane);
  // tmux refuses to nest, so inside another tmux the command is printed for another terminal.
  if (!tmuxClient && !call.env.TMUX && call.tty && process.stdin.isTTY && !flag(call, 'json'))
    return attach(pane, call.env);
  call.err(`${name} is in a tmux session that this terminal is not attached to. Attach with:`);
  report(false, argv.map(arg => (/^[\w./@%+=:,-]+$/.test(arg) ? arg : quote(arg))).join(' '));
  return 0;
};

const noPaneText = (session: Session): string => {
  const { id, pid, dir } = session;
  return isElsewhere(session)
    ? `${shortId(id)} runs on ${whereOf(session)}.`
    : `${shortId(id)} is not in a tmux pane. It is process ${pid ?? '-'} in ${dir ?? 'an unknown folder'}.`;
};
