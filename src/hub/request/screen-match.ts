/** Which of a session's open requests the terminal shows. Pure, but for reading a file that a dialog would change. */
import { readFileSync, statSync } from 'node:fs';
import type { Dialog } from '../../claude/screen/dialog.ts';
import { showsCall } from '../../claude/screen/dialog-input.ts';
import { identityWithAgent } from '../../claude/screen/screen-request.ts';
import { isForm } from '../../claude/screen/form.ts';
import { startupDialog } from '../../claude/screen/dialogs.ts';
import type { Hook } from '../../contract/hook.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { questionsIn } from '../../session/request/detail.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import type { Seen } from './terminal-screen.ts';

/** A request with the payload of its event. */
export interface Asked extends OpenRequest {
  payload: Hook | null;
  /** Drover has read it from the screen itself. Only then does the payload identify the dialog: a hook could claim any identity. */
  isFromScreen: boolean;
}

/** Whether the terminal shows the dialog of this request, with its complete input. */
export const isShown = ({ dialog, pane }: Seen, asked: Asked, session: Session): boolean => {
  const { kind, payload } = asked;
  if (kind === 'dialog') return startupDialog(pane.rows.join('\n')) === asked.line;
  if (!payload) return false;
  if (kind === 'elicitation') return isForm(pane.rows, payload);
  // Read from the screen: it must still be the same dialog, word by word.
  if (asked.isFromScreen) return dialog !== null && identityWithAgent(dialog) === payload.identity;
  if (!dialog || (dialog.agent !== null && dialog.agent !== asked.agent)) return false;
  const input = objectOf(payload.tool_input);
  if (kind === 'question') return showsQuestions(dialog, input);
  if (kind === 'plan') return showsPlan(dialog, input);
  return (
    kind === 'permission' &&
    typeof payload.tool_name === 'string' &&
    showsCall(dialog, { tool: payload.tool_name, input, dirs: dirsOf(session, payload), fileText })
  );
};

/** The dialog shows one question at a time: its text, its options and the headers of all must be those of the request. */
const showsQuestions = ({ menu }: Dialog, input: Record<string, unknown>): boolean => {
  const questions = questionsIn(input);
  const tabs = menu.tabs.map(({ label }) => withoutSpace(label)).filter(label => label !== '✔Submit');
  const headers = questions.map(({ header }) => withoutSpace(header ?? ''));
  if (tabs.length > 0 && JSON.stringify(tabs) !== JSON.stringify(headers)) return false;
  const labels = menu.options.map(({ label }) => withoutSpace(label));
  return questions.some(
    ({ question, options }) =>
      withoutSpace(menu.head).endsWith(withoutSpace(question)) &&
      options.every(({ label }, n) => labels[n] === withoutSpace(label)),
  );
};

/** A plan is shown as formatted Markdown: only its letters and digits are compared. */
const showsPlan = ({ title, body }: Dialog, { plan }: Record<string, unknown>): boolean => {
  if (title !== 'Ready to code?' || typeof plan !== 'string') return false;
  const first = body.findIndex(isDotted);
  const last = body.findLastIndex(isDotted);
  if (first < 0 || last <= first) return false;
  return lettersOf(body.slice(first + 1, last).join('')) === lettersOf(withoutMarkup(plan));
};

const isDotted = (row: string): boolean => /^\s*[╌┄]{3}/.test(row);
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
/** The CLI hides the languages of code blocks and shows links with their address. */
const withoutMarkup = (plan: string): string => plan.replace(/^\s*```.*$/gm, '');

const dirsOf = ({ cwd, dir }: Session, { cwd: now }: Hook): string[] =>
  [cwd, dir, now].filter((one): one is string => typeof one === 'string');

/** The text of a file of ordinary size; null when there is none. */
const fileText = (path: string): string | null => {
  try {
    return statSync(path).size > 2_000_000 ? null : readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
