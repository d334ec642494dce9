/** Which of a session's open requests the terminal shows. Pure, but for reading a file that a dialog would change. */
import type { Dialog } from '../../claude/screen/dialog.ts';
import { showsCall } from '../../claude/screen/dialog-input.ts';
import { identityWithAgent } from '../../claude/screen/screen-request.ts';
import { isForm } from '../../claude/screen/form.ts';
import { isReview, questionOn } from '../../claude/screen/question-dialog.ts';
import { toolCallOf } from '../../claude/screen/tool-call.ts';
import type { Hook } from '../../contract/hook.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { questionsIn } from '../../session/request/detail.ts';
import { type Seen, shownDialog } from './terminal-screen.ts';

/** A request with the payload of its event. */
export interface Asked extends OpenRequest {
  payload: Hook | null;
  /** Drover has read it from the screen itself. Only then does the payload identify the dialog: a hook could claim any identity. */
  isFromScreen: boolean;
}

/** Whether the terminal shows the dialog of this request, with its complete input. */
export const isShown = (seen: Seen, asked: Asked, session: Session): boolean => {
  const { dialog, pane } = seen;
  const { kind, payload } = asked;
  if (kind === 'dialog') return shownDialog(seen) === asked.line;
  if (!payload) return false;
  if (kind === 'elicitation') return isForm(pane.rows, pane.width, payload);
  // Read from the screen: it must still be the same dialog, word by word.
  if (asked.isFromScreen) return dialog !== null && identityWithAgent(dialog) === payload.identity;
  if (!dialog || (dialog.agent !== null && dialog.agent !== asked.agent)) return false;
  const input = objectOf(payload.tool_input);
  if (kind === 'question') {
    const questions = questionsIn(input);
    return questionOn(dialog, questions) !== null || isReview(dialog, questions);
  }
  if (kind === 'plan') return showsPlan(dialog, input);
  const call = kind === 'permission' ? toolCallOf(payload, [session.cwd, session.dir]) : null;
  return call !== null && showsCall(dialog, call);
};

/**
 * Whether the dialog of one request, which the terminal shows, is certainly not that of another: they are of different kinds, or have
 * different letters in what they ask. That the other one does not match proves nothing: the CLI may show it in a way that cannot be read.
 */
export const differs = (asked: Asked, other: Asked): boolean => {
  if (!asked.payload || !other.payload) return false;
  if (asked.kind !== other.kind) return true;
  return lettersIn(asked.payload) !== lettersIn(other.payload);
};

/** The letters and digits of everything that a request asks. What a terminal may show differently does not count. */
const lettersIn = ({ tool_input: input, message, identity }: Hook): string =>
  valuesIn(input ?? message ?? identity)
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

const valuesIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  // What is on or off, and numbers, may not be shown.
  return typeof value === 'string' ? [value] : [];
};

/** A plan is shown as formatted Markdown: only its letters and digits are compared. */
const showsPlan = ({ title, frame }: Dialog, { plan }: Record<string, unknown>): boolean => {
  if (title !== 'Ready to code?' || typeof plan !== 'string' || !frame) return false;
  return lettersOf(frame.inside.join('')) === lettersOf(withoutMarkup(plan));
};

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
/** The CLI hides the languages of code blocks and shows links with their address. */
const withoutMarkup = (plan: string): string => plan.replace(/^\s*```.*$/gm, '');

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
