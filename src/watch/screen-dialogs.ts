/** Reads dialogs that only the screen of a running session shows: no hook has reported them, and the session file names no request. */
import { sessionDialog } from '../claude/screen/dialogs.ts';
import { dialogOf } from '../claude/screen/dialog.ts';
import { showsCall } from '../claude/screen/dialog-input.ts';
import { screenRequest } from '../claude/screen/screen-request.ts';
import { toolCallOf } from '../claude/screen/tool-call.ts';
import type { Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { inputFingerprint } from '../session/request/detail.ts';
import { type PaneScreen, readPaneScreen } from '../tmux/server/pane-screen.ts';

/** Reads the payload of an event; null when the log no longer has it. */
type PayloadAt = (seq: number) => Hook | null;

/** Whether the screen of a session may show a dialog that is not known yet. */
export const mayShowUnread = (session: Folded): boolean =>
  hasUnreadDialog(session) || hasUnreportedRequest(session);

/**
 * The event for the dialog on the screen; null when there is none, or it is known. `now` is the time before the screen is read: the
 * dialog may be replaced meanwhile, and the session file then says so with a later time.
 */
export const readDialog = async (
  session: Folded,
  now: number,
  payloadAt: PayloadAt,
): Promise<Draft | null> => {
  const { id, pane, pid, cwd, dir } = session;
  if (!pane || pane.foreign) return null;
  const screen = await readPaneScreen(pane);
  if (!screen) return null;
  const fields = hasUnreadDialog(session) ? dialogFields(screen) : requestFields(session, screen, payloadAt);
  if (!fields) return null;
  const context = { socket: pane.socket, pane: pane.id, ...(pid !== null && { pid }) };
  const server = pane.serverPid === null ? {} : { serverPid: pane.serverPid };
  const draft = eventFrom('sweep', 'Dialog', id, now, { ...fields, cwd: cwd ?? dir });
  return { ...draft, context: { ...context, ...server } };
};

/** A dialog such as the one about the fullscreen renderer. */
const dialogFields = ({ rows, width }: PaneScreen): object | null => {
  const message = sessionDialog(rows, width);
  return message ? { message } : null;
};

/** A permission request. */
const requestFields = (session: Folded, screen: PaneScreen, payloadAt: PayloadAt): object | null => {
  const { memory } = session;
  const request = screenRequest(screen.rows, screen.width);
  if (!request) return null;
  const { tool, text, more, agent, identity } = request;
  const fields = shownCall(session, screen, payloadAt) ?? {
    tool_name: tool,
    tool_input: { description: text, ...(more !== '' && { details: more }) },
    ...(agent !== null && { agent_id: agent }),
    identity,
  };
  return memory.requests.some(({ print }) => print === inputFingerprint(fields)) ? null : fields;
};

/** The open call that the dialog shows, as its hook told it; null when it shows none, or several that look the same. */
const shownCall = (
  { memory, cwd, dir }: Folded,
  { rows, width }: PaneScreen,
  payloadAt: PayloadAt,
): Hook | null => {
  const dialog = dialogOf(rows, width);
  if (!dialog) return null;
  const shown = memory.calls.flatMap(({ seq, id }) => {
    const hook = payloadAt(seq);
    const call = hook && toolCallOf(hook, [cwd, dir]);
    return hook && call && showsCall(dialog, call) ? [{ hook, seq, id }] : [];
  });
  const [first] = shown;
  if (!first || shown.length > 1) return null;
  const { tool_name, tool_input, agent_id, agent_type } = first.hook;
  return { tool_name, tool_input, agent_id, agent_type, tool_use_id: first.id, call: first.seq };
};

/** Whether only the session file reports a dialog, without saying what it asks. */
const hasUnreadDialog = ({ reason, requests, memory }: Folded): boolean =>
  reason === 'dialog' && requests.length === 0 && memory.file?.waitingFor === 'dialog open';

/**
 * Whether a permission dialog is open that no hook has reported, such as one from before the hooks were registered. While such a
 * request is open its dialog is read again, because the next one may follow without a change of the session file.
 */
const hasUnreportedRequest = ({ reason, requests, memory, hooks }: Folded): boolean =>
  reason === 'permission' &&
  memory.file?.status === 'waiting' &&
  // Auto mode without a check asks in a dialog that no hook reports: then only the call is known.
  (memory.hooked === 0 || hooks === 'silent' || memory.calls.length > 0) &&
  memory.requests.length === requests.length &&
  memory.requests.every(({ evidence }) => evidence.source === 'sweep');
