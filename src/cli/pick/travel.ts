/** What `next` and `go` share: to the pane of a session, from wherever the command was given. */
import { DroverError } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { quote } from '../../quote.ts';
import { isElsewhere, whereOf } from '../../contract/origin.ts';
import { type TmuxClient, attach, attachCommand, checkPane, jump, link } from '../../tmux/keys/jump.ts';
import { type Call, flag } from '../verb.ts';

/** Moves the client that asked, or hands this terminal to tmux, or says the command that leads there. */
export const travel = async (
  call: Call,
  tmuxClient: TmuxClient | null,
  session: Session,
): Promise<number> => {
  const { pane } = session;
  if (!pane)
    throw new DroverError('refused', nowhere(session), 'Only a session in a tmux pane can be gone to.');
  const name = `${session.id.slice(0, 8)} (${session.project ?? '-'}, ${session.state}${session.reason ? `/${session.reason}` : ''})`;
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
  const words = attachCommand(pane);
  // Inside another tmux the command is for another terminal; tmux would refuse to nest.
  if (!tmuxClient && !call.env.TMUX && call.tty && process.stdin.isTTY && !flag(call, 'json'))
    return attach(pane, call.env);
  call.err(`${name} is on another tmux server or terminal; this leads there:`);
  report(false, words.map(word => (/^[\w./@%+=:,-]+$/.test(word) ? word : quote(word))).join(' '));
  return 0;
};

const nowhere = (session: Session): string => {
  const { id, pid, dir } = session;
  return isElsewhere(session)
    ? `${id.slice(0, 8)} runs on ${whereOf(session)}.`
    : `${id.slice(0, 8)} is in no tmux pane; it is process ${pid ?? '-'} in ${dir ?? 'an unknown folder'}.`;
};
