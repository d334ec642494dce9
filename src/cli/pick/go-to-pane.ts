/** Goes to the pane of a session, for `next` and `go`. */
import { DroverError } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { stateText } from '../../client/board/labels.ts';
import { startParked } from '../../client/start-parked.ts';
import { quote } from '../../quote.ts';
import { isRemote, whereOf } from '../../contract/origin.ts';
import { type TmuxClient, attach, attachCommand, checkPane, jump, link } from '../../tmux/keys/jump.ts';
import { placeText, terminalPlaceOf } from '../../terminal-place.ts';
import { type Call, flag } from '../verb.ts';
import { goToHost } from './go-to-host.ts';
import { shortId } from '../../contract/short-id.ts';

/** Switches the tmux client, attaches this terminal, or prints the command that attaches. */
export const goToPane = async (
  call: Call,
  tmuxClient: TmuxClient | null,
  session: Session,
): Promise<number> => {
  const { fleet } = session;
  if (fleet) return goToHost(call, tmuxClient, { ...session, fleet }, canAttach(call));
  const pane = session.parked ? await startParked(call.paths, session.id) : session.pane;
  if (!pane) throw new DroverError('refused', noPaneText(session), noPaneHint(session));
  const name = `${shortId(session.id)} (${session.title ?? '-'}, ${stateText(session, Date.now())})`;
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
  if (!tmuxClient && canAttach(call)) return attach(pane, call.env);
  call.err(`${name} is in a tmux session that this terminal is not attached to. Attach with:`);
  report(false, argv.map(arg => (/^[\w./@%+=:,-]+$/.test(arg) ? arg : quote(arg))).join(' '));
  return 0;
};

/** Whether this terminal can attach. tmux refuses to nest, so inside another tmux the command is printed instead. */
const canAttach = ({ env, tty, ...call }: Call): boolean =>
  !env.TMUX && tty && process.stdin.isTTY && call.options.json !== true;

/** Whether `goToPane` takes the person there, or only prints how to attach. */
export const canGo = (call: Call, tmuxClient: TmuxClient | null, { pane, fleet }: Session): boolean =>
  tmuxClient ? fleet !== undefined || tmuxClient.socket === pane?.socket : canAttach(call);

/** Attaches this terminal to the pane, whatever tmux client there is. Another host uses this over SSH. */
export const attachThisTerminal = async (call: Call, session: Session): Promise<number> => {
  if (session.fleet)
    throw new DroverError('refused', `${shortId(session.id)} runs on ${session.fleet.name}.`, 'Go there.');
  const pane = session.parked ? await startParked(call.paths, session.id) : session.pane;
  if (!pane) throw new DroverError('refused', noPaneText(session), noPaneHint(session));
  await checkPane(pane);
  return attach(pane, call.env);
};

const noPaneText = (session: Session): string => {
  const { id, pid, dir } = session;
  return isRemote(session)
    ? `${shortId(id)} runs on ${whereOf(session)}.`
    : `${shortId(id)} is not in a tmux pane. It is process ${pid ?? '-'} in ${dir ?? 'an unknown folder'}${placeOf(session)}.`;
};

/** The hint for a session without a pane: how the person can get to it. */
const noPaneHint = (session: Session): string => {
  if (isRemote(session) || session.state === 'ended') return 'Only a session in a tmux pane can be opened.';
  return `Go to that terminal yourself. To have it in tmux, quit it there and run \`drover resume ${shortId(session.id)}\` in tmux.`;
};

const placeOf = ({ pid }: Session): string => {
  const place = pid === null ? null : terminalPlaceOf(pid);
  return place ? `, in ${placeText(place)}` : '';
};
