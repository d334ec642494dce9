/** Answers questions by the digits of their options: a digit means the same wherever the selection is. */
import type { MenuOption } from '../../claude/screen/menu.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { DroverError } from '../../contract/error.ts';
import type { Question } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { pressWhile, type ScreenTask, screenChangedError } from './screen-task.ts';
import type { Seen } from './terminal-screen.ts';

/** Answers every question with the given labels, and submits them. */
export const answerByDigits = async (
  task: ScreenTask,
  questions: Question[],
  given: Map<string, string[]>,
): Promise<void> => {
  for (const question of questions) {
    const labels = given.get(question.question) ?? [];
    await awaitScreen(task, now => isAsked(now, question));
    if (question.multiSelect) await tick(task, question, labels);
    else await choose(task, question, labels[0] ?? '');
  }
  // Several questions, or one with several answers, end with a review of all answers.
  if (questions.length === 1 && !questions[0]?.multiSelect) return;
  await awaitScreen(task, isReview);
  await pressWhile(task, isReview, { text: '1' }, now => !isReview(now));
};

const choose = async (task: ScreenTask, question: Question, label: string): Promise<void> => {
  const isReady = (now: Seen) => isAsked(now, question) && digitOf(now, label) !== null;
  const digit = digitOf(await task.screen.see(), label);
  if (digit === null) throw missingOptionError(label);
  await pressWhile(task, isReady, { text: digit }, now => !isAsked(now, question));
};

/** Ticks and unticks until the ticks are as wanted, also those that somebody else made. Then goes to the next question. */
const tick = async (task: ScreenTask, question: Question, labels: string[]): Promise<void> => {
  for (const { label } of question.options) {
    const isWanted = labels.includes(label);
    const seen = await task.screen.see();
    const digit = digitOf(seen, label);
    if (digit === null) throw missingOptionError(label);
    const isDone = (now: Seen) => isAsked(now, question) && optionIn(now, label)?.checked === isWanted;
    await pressWhile(task, now => isAsked(now, question), { text: digit }, isDone);
  }
  const isTicked = (now: Seen) =>
    isAsked(now, question) &&
    question.options.every(({ label }) => optionIn(now, label)?.checked === labels.includes(label));
  await pressWhile(task, isTicked, { key: 'Tab' }, now => !isAsked(now, question));
};

const awaitScreen = async (task: ScreenTask, fits: (now: Seen) => boolean): Promise<void> => {
  if (!(await task.screen.until(fits, limits.screen.keyEffect))) throw screenChangedError();
};

/** Whether the dialog asks this question now. */
const isAsked = ({ dialog }: Seen, { question, options }: Question): boolean =>
  dialog !== null &&
  withoutSpace(dialog.menu.head).endsWith(withoutSpace(question)) &&
  options.every(({ label }, n) => dialog.menu.options[n]?.label === label);

const isReview = ({ dialog }: Seen): boolean =>
  dialog?.menu.title === 'Ready to submit your answers?' &&
  dialog.menu.options[0]?.label === 'Submit answers';

const optionIn = ({ dialog }: Seen, label: string): MenuOption | undefined =>
  dialog?.menu.options.find(option => option.label === label);

const digitOf = (seen: Seen, label: string): string | null => {
  const number = optionIn(seen, label)?.number ?? null;
  return number === null || number > 9 ? null : String(number);
};

const missingOptionError = (label: string): DroverError =>
  new DroverError('refused', `The dialog has no option ${JSON.stringify(label)}; no more keys were pressed.`);
