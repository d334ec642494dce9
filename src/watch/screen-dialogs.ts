/** Reads dialogs that only the screen of a running session shows: no hook has reported them, and the session file names no request. */
import { sessionDialog } from '../claude/screen/dialogs.ts';
import { screenRequest } from '../claude/screen/screen-request.ts';
import type { Draft } from '../contract/event.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { inputFingerprint } from '../session/request/detail.ts';
import { captureScreen } from '../tmux/server/panes.ts';

/** Whether the screen of a session may show a dialog that is not known yet. */
export const mayShowUnread = (session: Folded): boolean =>
  hasUnreadDialog(session) || hasUnreportedRequest(session);

/**
 * The event for the dialog on the screen; null when there is none, or it is known. `now` is the time before the screen is read: the
 * dialog may be replaced meanwhile, and the session file then says so with a later time.
 */
export const readDialog = async (session: Folded, now: number): Promise<Draft | null> => {
  const { id, pane, pid, cwd, dir } = session;
  if (!pane || pane.foreign) return null;
  const screen = await captureScreen(pane.socket, pane.id);
  const fields = hasUnreadDialog(session) ? dialogFields(screen) : requestFields(session, screen);
  if (!fields) return null;
  const context = { socket: pane.socket, pane: pane.id, ...(pid !== null && { pid }) };
  const server = pane.serverPid === null ? {} : { serverPid: pane.serverPid };
  const draft = eventFrom('sweep', 'Dialog', id, now, { ...fields, cwd: cwd ?? dir });
  return { ...draft, context: { ...context, ...server } };
};

/** A dialog such as the one about the fullscreen renderer. */
const dialogFields = (screen: string): object | null => {
  const message = sessionDialog(screen);
  return message ? { message } : null;
};

/** A permission request. */
const requestFields = ({ memory }: Folded, screen: string): object | null => {
  const request = screenRequest(screen);
  if (!request) return null;
  const { tool, text, more, agent, identity } = request;
  const fields = {
    tool_name: tool,
    tool_input: { description: text, ...(more !== '' && { details: more }) },
    ...(agent !== null && { agent_id: agent }),
    identity,
  };
  return memory.requests.some(({ print }) => print === inputFingerprint(fields)) ? null : fields;
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
  (memory.hooked === 0 || hooks === 'silent') &&
  memory.requests.length === requests.length &&
  memory.requests.every(({ evidence }) => evidence.source === 'sweep');
