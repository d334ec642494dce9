/**
 * Answers the questions of an AskUserQuestion by keys in its dialog: the one that it shows, then those that follow, then the review
 * of all answers. So an answer that was interrupted continues where it stopped. Options are chosen by their digits: a digit means
 * the same wherever the selection is.
 */
import type { MenuOption } from '../../claude/screen/menu.ts';
import { isReview, isReviewOf, questionOn } from '../../claude/screen/question-dialog.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { DroverError } from '../../contract/error.ts';
import type { Question } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { pressOnce, pressWhile, type ScreenTask, screenChangedError } from './screen-task.ts';
import { type Seen, selectedIn } from './terminal-screen.ts';

/** Answers every question with the given labels or texts, and submits them. */
export const answerByKeys = async (
  task: ScreenTask,
  questions: Question[],
  given: Map<string, string[]>,
): Promise<void> => {
  for (const question of questions) refuseUnfit(question, given.get(question.question) ?? []);
  // Several questions, or one with several answers, end with a review of all answers.
  const pages = questions.length === 1 && !questions[0]?.multiSelect ? 1 : questions.length + 1;
  for (let steps = 0; steps < 2 * pages; steps++) {
    const seen = await task.screen.until(
      ({ dialog }) => isReview(dialog, questions) || questionOn(dialog, questions) !== null,
      limits.screen.keyEffect,
    );
    const question = questionOn(seen?.dialog ?? null, questions);
    if (!seen || (!question && pages === 1)) throw screenChangedError();
    if (!question) return submit(task, questions, given);
    task.onProgress(questions.indexOf(question), pages);
    const page: Page = { task, question, isAsked: now => questionOn(now.dialog, questions) === question };
    const labels = given.get(question.question) ?? [];
    await (question.multiSelect ? tick(page, labels) : choose(page, labels[0] ?? ''));
    task.onProgress(questions.indexOf(question) + 1, pages);
    if (pages === 1) return;
  }
  throw new DroverError('failed', 'The dialog went back to a question that was answered already.');
};

/** One question while it is being answered. */
interface Page {
  task: ScreenTask;
  question: Question;
  isAsked: (now: Seen) => boolean;
}

const refuseUnfit = ({ question, options }: Question, labels: string[]): void => {
  const own = labels.filter(label => !options.some(option => option.label === label));
  if (own.length > 1)
    throw new DroverError('bad_request', `${JSON.stringify(question)} takes at most one written answer.`);
  if (own.some(text => /[\r\n]/.test(text)))
    throw new DroverError('bad_request', 'A written answer must be a single line.');
};

/** Submits the answers that the review shows, if they are the given ones. */
const submit = (task: ScreenTask, questions: Question[], given: Map<string, string[]>): Promise<void> => {
  const isReady = (now: Seen) => isReviewOf(now.dialog, questions, given);
  const hasLeft = (now: Seen) => !isReview(now.dialog, questions);
  return task.screen.until(isReady, limits.screen.keyEffect).then(seen => {
    if (!seen)
      throw new DroverError('refused', 'The review in the terminal does not show exactly these answers.');
    return pressWhile(task, isReady, { text: '1' }, hasLeft);
  });
};

const choose = async (page: Page, label: string): Promise<void> => {
  const { task, question, isAsked } = page;
  if (!question.options.some(option => option.label === label)) {
    await typeInto(page, label);
    const isTyped = (now: Seen) => isAsked(now) && hasTyped(now, question, label);
    return pressWhile(task, isTyped, { key: 'Enter' }, now => !isAsked(now));
  }
  const isReady = (now: Seen) => isAsked(now) && !isTyping(now, question);
  return pressWhile(task, isReady, await digitOf(page, label), now => !isAsked(now));
};

/** Ticks and unticks until the ticks are as wanted, also those that somebody else made. Then goes to the next question. */
const tick = async (page: Page, labels: string[]): Promise<void> => {
  const { task, question, isAsked } = page;
  for (const { label } of question.options) {
    const isWanted = labels.includes(label);
    const isDone = (now: Seen) => isAsked(now) && optionIn(now, question, label)?.checked === isWanted;
    if (isDone(await task.screen.see())) continue;
    const isReady = (now: Seen) => isAsked(now) && !isTyping(now, question);
    await pressWhile(task, isReady, await digitOf(page, label), isDone);
  }
  const own = labels.find(label => !question.options.some(option => option.label === label));
  if (own !== undefined) await typeInto(page, own);
  const isTicked = (now: Seen) =>
    isAsked(now) &&
    question.options.every(
      ({ label }) => optionIn(now, question, label)?.checked === labels.includes(label),
    ) &&
    (own === undefined || isTypedText(textOption(now, question)?.label, own));
  if (own === undefined) return pressWhile(task, isTicked, { key: 'Tab' }, now => !isAsked(now));
  // While text is typed, Tab is not for the next question.
  const atSubmit = ({ dialog }: Seen) =>
    dialog?.menu.options.findIndex(({ number }) => number === null) ?? -1;
  await moveTo(page, atSubmit);
  const isReady = (now: Seen) =>
    isTicked(now) && now.dialog !== null && selectedIn(now.dialog) === atSubmit(now);
  await pressWhile(task, isReady, { key: 'Enter' }, now => !isAsked(now));
};

/** Moves the selection to an option. */
const moveTo = async ({ task, isAsked }: Page, at: (seen: Seen) => number): Promise<Seen> => {
  for (let keys = 0; keys < maxMoves; keys++) {
    const seen = await task.screen.see();
    if (!isAsked(seen) || !seen.dialog || at(seen) < 0) throw screenChangedError();
    const selected = selectedIn(seen.dialog);
    if (selected === at(seen)) return seen;
    const key = selected < at(seen) ? 'Down' : 'Up';
    await pressOnce(task, seen, { key }, now => now.dialog !== null && selectedIn(now.dialog) !== selected);
  }
  throw new DroverError('failed', 'An option could not be selected.');
};

/** More than a question has options, with some that are ignored. */
const maxMoves = 24;

/** Moves to the option that takes text and types there. Text that is there already, such as somebody's, is not added to. */
const typeInto = async (page: Page, text: string): Promise<void> => {
  const { task, question } = page;
  for (let tries = 0; tries < limits.screen.keyTries; tries++) {
    const seen = await moveTo(page, () => question.options.length);
    const shown = (now: Seen) => now.dialog?.labels[question.options.length];
    if (hasTyped(seen, question, text)) return;
    if (await pressOnce(task, seen, { paste: text }, now => hasTyped(now, question, text))) return;
    // A new dialog of 2.1.325 ignores text for a moment: an unchanged row is typed into again.
    if (shown(await task.screen.see()) !== shown(seen) || !task.isAlone()) throw screenChangedError();
  }
  throw new DroverError('failed', 'The text could not be typed into its option.');
};

/** Whether the text, or the end of a long one, is what the selected option shows. */
const hasTyped = ({ dialog }: Seen, { options }: Question, text: string): boolean =>
  dialog !== null &&
  selectedIn(dialog) === options.length &&
  isTypedText(dialog.labels[options.length], text);

const isTypedText = (label: string | undefined, text: string): boolean => {
  const [shown, wanted] = [withoutSpace(label ?? ''), withoutSpace(text)];
  return shown === wanted || (shown.length >= 20 && wanted.endsWith(shown));
};

const textOption = ({ dialog }: Seen, { options }: Question): MenuOption | undefined =>
  dialog?.menu.options[options.length];

const optionIn = ({ dialog }: Seen, { options }: Question, label: string): MenuOption | undefined =>
  dialog?.menu.options[options.findIndex(option => option.label === label)];

/** Whether the option is selected that takes digits as text. */
const isTyping = ({ dialog }: Seen, { options }: Question): boolean =>
  dialog !== null && selectedIn(dialog) === options.length;

/** The digit of an option, when the dialog takes it as one. */
const digitOf = async (page: Page, label: string): Promise<{ text: string }> => {
  const { task, question } = page;
  const seen = await task.screen.see();
  if (isTyping(seen, question)) await moveTo(page, () => 0);
  const number = optionIn(seen, question, label)?.number ?? null;
  if (number !== null && number <= 9) return { text: String(number) };
  throw new DroverError(
    'refused',
    `The dialog has no option ${JSON.stringify(label)}; no more keys were pressed.`,
  );
};
