/** The keys of each choice. Before each key the dialog is compared, and its effect is awaited before the next one. */
import { setTimeout as pause } from 'node:timers/promises';
import { promptLine } from '../../claude/screen/prompt-line.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import type { Answer } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import { textToPaste } from '../../driver/input/prompt-input.ts';
import { limits } from '../../limits.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import { questionsIn } from '../../session/request/detail.ts';
import { labelsByQuestion } from './decision.ts';
import { answerForm } from './screen-form.ts';
import { answerByKeys } from './screen-questions.ts';
import type { ChoiceOnScreen } from './screen-choices.ts';
import { isShown } from './screen-match.ts';
import { pressOnce, type ScreenTask, screenChangedError } from './screen-task.ts';
import { isSameDialog, menuIn, promptRows, type Seen } from './terminal-screen.ts';

/** Makes a choice, and resolves when the dialog is gone. */
export const performChoice = async (
  task: ScreenTask,
  wanted: ChoiceOnScreen,
  answer: Answer,
): Promise<void> => {
  const { kind } = task.asked;
  const { choice } = wanted.choice;
  refuseUnfit(wanted, answer);
  if (kind === 'question') return choice === 'deny' ? escape(task) : answerQuestions(task, answer);
  if (kind === 'elicitation') return choice === 'cancel' ? escape(task) : answerForm(task, choice, answer);
  if (choice === 'keep_planning') await escape(task);
  else await chooseOption(task, wanted);
};

const refuseUnfit = ({ choice }: ChoiceOnScreen, answer: Answer): void => {
  if (answer.updated_input)
    throw new DroverError(
      'refused',
      'The input can only be changed while a hook holds the request.',
      'Hold the session first: `drover hold`.',
    );
  if (answer.message !== undefined && !choice.takesMessage)
    throw new DroverError('bad_request', `${JSON.stringify(choice.choice)} does not take a message.`);
};

const answerQuestions = async (task: ScreenTask, answer: Answer): Promise<void> => {
  const input = objectOf(task.asked.payload?.tool_input);
  const given = labelsByQuestion(input, answer.answers ?? {});
  await task.readStable();
  await task.assertOpen();
  return answerByKeys(task, questionsIn(input), given);
};

/** Chooses an option: by its digit, or with the arrows and Enter where it has none. A notice is closed by its key. */
const chooseOption = async (task: ScreenTask, wanted: ChoiceOnScreen): Promise<void> => {
  const isDone = await pressUntilAnswered(task, async found => {
    if (wanted.key) return { seen: found, key: { key: wanted.key } };
    const number = numberOf(found, wanted);
    const seen = number === null ? await select(task, wanted) : found;
    return { seen, key: number === null ? { key: 'Enter' } : { text: String(number) } };
  });
  if (!isDone)
    throw new DroverError(
      'failed',
      'The dialog is still open: it ignored the key, or changed each time before one was pressed.',
    );
};

/**
 * Presses the key that answers the dialog, again while it is ignored; false when it always was. A busy machine may take the
 * key so late that the dialog goes away before the next one: then that was its effect, which is confirmed afterwards.
 */
const pressUntilAnswered = async (
  task: ScreenTask,
  next: (found: Seen) => Promise<{ seen: Seen; key: Input }>,
): Promise<boolean> => {
  let last: Seen | null = null;
  for (let tries = 0; tries < limits.screen.keyTries; tries++) {
    const found = await task.readStable().catch(async (error: unknown) => {
      if (last && (task.isClosed() || !isStillShown(task, last, await task.screen.see()))) return null;
      throw error;
    });
    if (!found) return true;
    const { seen, key } = await next(found);
    let wasPressed = false;
    const onPressed = (input: Input) => {
      wasPressed = true;
      task.onPressed(input);
    };
    if (await pressAnswer({ ...task, onPressed }, seen, key)) return true;
    if (wasPressed && !task.isAlone()) return false;
    if (wasPressed) last = seen;
  }
  return false;
};

/** The digit of an option; null in a start-up menu, some of which have none. */
const numberOf = (seen: Seen, { index, label }: ChoiceOnScreen): number | null => {
  const { pane } = seen;
  const option = menuIn(seen)?.options[index ?? -1];
  if (!option || !label.startsWith(option.label)) throw screenChangedError();
  const isNumbered =
    option.number !== null && pane.rows.some(row => hasNumber(row, option.number, option.label));
  return isNumbered ? option.number : null;
};

const hasNumber = (row: string, number: number | null, label: string): boolean =>
  row.replace(/^\s*❯?\s*/, '').startsWith(`${number}. `) && row.trimEnd().endsWith(label);

/**
 * Presses the key that answers a dialog; false when it was ignored, or not pressed. A dialog that is being painted again, such as
 * after a resize, is not on the screen for a moment: so its absence counts only if it stays away, or the request is closed.
 */
const pressAnswer = async (task: ScreenTask, seen: Seen, key: Input): Promise<boolean> => {
  const began = performance.now();
  await task.assertOpen();
  if (!(await task.screen.press(seen, key))) return false;
  task.onPressed(key);
  const isGone = (now: Seen) => !isStillShown(task, seen, now);
  let gone = await task.screen.until(isGone, task.keyEffect);
  for (let reads = 0; gone && reads < goneReads && !task.isClosed(); reads++) {
    await pause(limits.screen.gonePoll);
    const again = await task.screen.see();
    // It is back: the key had no effect yet.
    if (isShown(again, task.asked, task.session)) gone = await task.screen.until(isGone, task.keyEffect);
  }
  // On a slow machine the request may be closed before the screen is repainted.
  if (gone || task.isClosed()) return true;
  task.onIgnored(performance.now() - began);
  return false;
};

/** Number of reads without the dialog after which it counts as closed, if nothing else reports that. */
const goneReads = 10;

/** Whether the dialog that was answered is still there. */
const isStillShown = ({ asked, session }: ScreenTask, before: Seen, now: Seen): boolean =>
  before.dialog ? isSameDialog(before.dialog, now.dialog) : isShown(now, asked, session);

/** Moves the selection to an option. */
const select = async (task: ScreenTask, { index, label }: ChoiceOnScreen): Promise<Seen> => {
  const optionsIn = (seen: Seen) => menuIn(seen)?.options ?? [];
  const at = (seen: Seen) => optionsIn(seen).findIndex(({ selected }) => selected);
  let seen = await task.readStable();
  for (let keys = 0; keys < 3 * optionsIn(seen).length; keys++) {
    const now = at(seen);
    if (!label.startsWith(optionsIn(seen)[index ?? -1]?.label ?? '\0')) throw screenChangedError();
    if (now === index) return seen;
    await pressOnce(task, seen, { key: now < (index ?? 0) ? 'Down' : 'Up' }, later => at(later) !== now);
    // Enter takes what is selected, so the whole proof is made again.
    seen = await task.readStable();
  }
  throw new DroverError('failed', `Could not select ${JSON.stringify(label)}.`);
};

/** Leaves a dialog with Esc. */
const escape = async (task: ScreenTask): Promise<void> => {
  const isDone = await pressUntilAnswered(task, seen => Promise.resolve({ seen, key: { key: 'Escape' } }));
  if (!isDone) throw new DroverError('failed', 'Esc was pressed, but the dialog is still open.');
};

/**
 * Sends the message of an answer as the next prompt. A note inside the dialog would need Enter, which means another option once
 * somebody moves the selection.
 */
export const sendAsPrompt = async ({ screen, onPressed }: ScreenTask, message: string): Promise<void> => {
  const draftIn = ({ pane }: Seen) => promptLine(pane.coloured)?.draft;
  const notSent = new DroverError('failed', 'It was answered, but the message could not be sent.');
  const ready = await screen.until(now => draftIn(now) === '', limits.screen.painted);
  const text = textToPaste(oneLine(message));
  if (!ready || !(await screen.press(ready, { paste: text }, promptRows(ready)))) throw notSent;
  onPressed({ paste: text });
  const flat = withoutSpace(text).slice(-40);
  const hasText = (now: Seen) => withoutSpace(draftIn(now) ?? '').endsWith(flat);
  for (let tries = 0; tries < limits.screen.keyTries; tries++) {
    const typed = await screen.until(hasText, limits.screen.keyEffect);
    if (!typed) throw notSent;
    const isSent = await screen.press(typed, { key: 'Enter' }, promptRows(typed));
    if (isSent && (await screen.until(now => !hasText(now), limits.screen.keyEffect))) return;
  }
  throw notSent;
};

/** The prompt line would submit at a line break. */
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
