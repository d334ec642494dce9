/**
 * The answer panel: one request of one session, pinned. Digits choose or tick, Enter sends, Esc closes. Nothing is allowed
 * before the end of the request was on the screen, and nothing is sent once the request is gone.
 */
import { boardLimits } from '../../board-limits.ts';
import type { Choice, RequestPage } from '../../contract/answer.ts';
import type { Session } from '../../contract/session.ts';
import { answersOf, isComplete, type Step, stepsOf, toggled } from './panel-steps.ts';
import { rowsOf } from './rows.ts';
import { scrollStep } from './scroll.ts';
import { type AnswerEntry, type Board, isAnswerEntry, type Pressed } from './state.ts';
import { shownRequest } from './request.ts';

/** Opens the panel for the shown request of a session; with `x` its denial is chosen. */
export const openPanel = (board: Board, session: Session, now: number, isDenial: boolean): Board => {
  const request = shownRequest(board, session);
  return request
    ? panelFor(board, session, request.id, now, isDenial)
    : { ...board, notice: 'The session has no open request.' };
};

/** Opens the panel for the first request in the queue, or for the one after the shown panel. */
export const openNextPanel = (board: Board, now: number): Board => {
  const open = answerableIn(board, now);
  const { entry } = board;
  const at = isAnswerEntry(entry)
    ? open.findIndex(({ session, request }) => session.id === entry.id && request === entry.request)
    : -1;
  const next = open[(at + 1) % Math.max(1, open.length)];
  if (!next) return { ...board, notice: 'No request is open.' };
  if (at >= 0 && open.length === 1) return { ...board, notice: 'No other request is open.' };
  return panelFor({ ...board, notice: null }, next.session, next.request, now, false);
};

/** The open requests of sessions that wait and are not deferred, in the order of the queue. */
const answerableIn = (board: Board, now: number): { session: Session; request: number }[] =>
  rowsOf(board, now)
    .filter(({ group }) => group === 'waiting')
    .flatMap(({ session }) => session.requests.map(({ id }) => ({ session, request: id })));

const panelFor = (
  board: Board,
  { id, requests }: Session,
  request: number,
  now: number,
  isDenial: boolean,
) => {
  const entry: AnswerEntry = {
    kind: 'answer',
    id,
    request,
    summary: requests.find(one => one.id === request)?.line ?? '',
    page: null,
    loadedFor: null,
    loadedAt: 0,
    choice: null,
    text: '',
    isWriting: false,
    step: 0,
    answers: [],
    isConfirming: false,
    isDenial,
    shownAt: now,
    scroll: 0,
    isRead: false,
    over: null,
  };
  return { ...board, entry };
};

/**
 * The request whose choices the panel needs; null: none. They change when its hook no longer waits. One that could
 * not be answered is loaded again, because its dialog may be on the screen by now.
 */
export const requestToLoad = (
  { entry, sessions }: Board,
  now: number,
): { id: string; request: number } | null => {
  if (!isAnswerEntry(entry) || entry.over !== null) return null;
  const { id, request, page, loadedFor, loadedAt } = entry;
  const open = sessions.get(id)?.requests.find(one => one.id === request);
  const isStale =
    page === null ||
    loadedFor !== open?.until ||
    (page.way === 'none' && now - loadedAt >= boardLimits.choicesRetry);
  return open && isStale ? { id, request } : null;
};

/** Shows the complete request with its choices in the panel that waits for it. */
export const withRequestPage = (board: Board, page: RequestPage, now: number): Board => {
  const { entry, sessions } = board;
  if (!isAnswerEntry(entry) || entry.request !== page.id) return board;
  const open = sessions.get(entry.id)?.requests.find(({ id }) => id === page.id);
  const kept = page.choices.some(({ choice }) => choice === entry.choice) ? entry.choice : null;
  const choice = kept ?? firstChoice(page, entry.isDenial)?.choice ?? null;
  const shown = { ...entry, page, loadedFor: open?.until ?? null, loadedAt: now, choice };
  if (kept !== null) return { ...board, entry: shown };
  const fresh = { ...shown, step: 0, answers: [], text: '', isConfirming: false, shownAt: now };
  return { ...board, entry: withField(fresh) };
};

/** What is chosen at first. A choice with consequences that must be confirmed is never chosen for the person. */
const firstChoice = ({ choices }: RequestPage, isDenial: boolean): Choice | undefined => {
  const effects: Choice['effect'][] = isDenial ? ['deny'] : ['answer', 'allow'];
  return choices.find(({ effect, confirm }) => effects.includes(effect) && confirm === undefined);
};

export const chosenIn = ({ page, choice }: AnswerEntry): Choice | undefined =>
  page?.choices.find(one => one.choice === choice);

/** The entry with its field open where only text can be given: a message, or a question without options. */
const withField = (entry: AnswerEntry): AnswerEntry => {
  const { step } = shownSteps(entry);
  return { ...entry, isWriting: step ? step.options.length === 0 : chosenIn(entry)?.takesMessage === true };
};

/** The questions or fields of the chosen answer, and the one that is shown. */
export const shownSteps = (entry: AnswerEntry): { steps: Step[]; step: Step | undefined } => {
  const chosen = chosenIn(entry);
  const steps = entry.page && chosen?.effect === 'answer' ? stepsOf(entry.page, chosen) : [];
  return { steps, step: steps[entry.step] };
};

/** Applies a key to the panel. `page` is the number of its visible lines. */
export const pressPanel = (
  board: Board,
  entry: AnswerEntry,
  key: string,
  now: number,
  page: number,
): Pressed => {
  const none = (next: Board): Pressed => ({ board: next, command: null });
  const change = (more: Partial<AnswerEntry>): Pressed => none({ ...board, entry: { ...entry, ...more } });
  if (entry.over !== null)
    return none({
      ...board,
      entry: null,
      notice: entry.over,
      ignoreKeysUntil: now + boardLimits.closedFieldPause,
    });
  if (key === 'escape') return none({ ...board, entry: null });
  const scroll = Math.max(0, entry.scroll + scrollStep(key, page, entry.isWriting));
  if (scroll !== entry.scroll) return change({ scroll });
  if (key === 'enter') return submit(board, entry, now);
  if (entry.isWriting) return none(writePanel(board, entry, key));
  if (key === 'q') return none({ ...board, entry: null });
  if (key === 'tab') return none(openNextPanel(board, now));
  if (key === 'x') return none(chooseDenial(board, entry));
  if (key === '[' && entry.step > 0) return change({ step: entry.step - 1 });
  return /^[1-9]$/.test(key) ? none(chooseNumber(board, entry, Number(key), now)) : none(board);
};

/** Letters of a message or a free answer. Backspace in an empty field leads back to the choices. */
const writePanel = (board: Board, entry: AnswerEntry, key: string): Board => {
  const text = writtenIn(entry);
  if (key === 'backspace' && text === '') return { ...board, entry: { ...entry, isWriting: false } };
  if (key === 'backspace') return withWritten(board, entry, Array.from(text).slice(0, -1).join(''));
  if (key === 'ctrl-u') return withWritten(board, entry, '');
  return Array.from(key).length === 1 ? withWritten(board, entry, `${text}${key}`) : board;
};

/** The text in the field of the panel. */
export const writtenIn = (entry: AnswerEntry): string =>
  shownSteps(entry).step ? (entry.answers[entry.step]?.text ?? '') : entry.text;

/** Replaces the text in the field of the panel. */
export const withWritten = (board: Board, entry: AnswerEntry, text: string): Board => {
  if (text.length > boardLimits.fieldText)
    return { ...board, notice: `No more than ${boardLimits.fieldText} characters fit here.` };
  if (!shownSteps(entry).step) return { ...board, entry: { ...entry, text } };
  return { ...board, entry: { ...entry, answers: withAnswer(entry, { picked: [], text }) } };
};

const withAnswer = ({ answers, step }: AnswerEntry, answer: AnswerEntry['answers'][number]) => {
  const next = [...answers];
  next[step] = answer;
  return next;
};

/** A digit: an option of the shown question, or one of the choices. */
const chooseNumber = (board: Board, entry: AnswerEntry, number: number, now: number): Board => {
  const { step } = shownSteps(entry);
  const change = (more: Partial<AnswerEntry>): Board => ({
    ...board,
    entry: { ...entry, isConfirming: false, ...more },
  });
  if (step) {
    const option = step.options[number - 1];
    const answer = entry.answers[entry.step];
    if (option) return change({ answers: withAnswer(entry, toggled(step, answer, option.value)) });
    return step.isOpen && number === step.options.length + 1 ? change({ isWriting: true }) : board;
  }
  const choice = entry.page?.choices[number - 1];
  if (!choice) return board;
  // A digit right after the panel opened may have been meant for the rows below it, and so may the Enter after it.
  const isEarly = now - entry.shownAt < boardLimits.confirmDelay;
  const chosen = { ...entry, choice: choice.choice, step: 0, answers: [], isConfirming: false };
  return { ...board, entry: withField({ ...chosen, ...(isEarly && { shownAt: now }) }) };
};

const chooseDenial = (board: Board, entry: AnswerEntry): Board => {
  const denial = entry.page?.choices.find(({ effect }) => effect === 'deny');
  if (!denial) return board;
  return { ...board, entry: withField({ ...entry, choice: denial.choice, isConfirming: false, step: 0 }) };
};

const submit = (board: Board, entry: AnswerEntry, now: number): Pressed => {
  const none = (next: Board): Pressed => ({ board: next, command: null });
  // The Enter may have been pressed before the panel opened.
  if (now - entry.shownAt < boardLimits.confirmDelay)
    return none({ ...board, notice: 'Press Enter again to send.' });
  const refusal = whyNotYet(entry);
  if (refusal !== null) return none({ ...board, notice: refusal });
  const { steps } = shownSteps(entry);
  if (entry.step < steps.length - 1)
    return none({ ...board, entry: withField({ ...entry, step: entry.step + 1, scroll: 0 }) });
  const chosen = chosenIn(entry);
  if (chosen?.confirm !== undefined && !entry.isConfirming)
    return none({ ...board, entry: { ...entry, isConfirming: true, isWriting: false, shownAt: now } });
  const { id, request, choice, text } = entry;
  const message = text.trim();
  return {
    board: { ...board, entry: null, notice: 'Sending …' },
    command: {
      kind: 'answer',
      id,
      answer: {
        id: request,
        ...(choice !== null && { choice }),
        ...(chosen?.takesMessage && message !== '' && { message }),
        ...(chosen?.confirm !== undefined && { confirmed: true }),
        ...(steps.length > 0 && entry.page && answersOf(entry.page, steps, entry.answers)),
      },
    },
  };
};

/** Why Enter sends nothing yet; null if it does. A denial need not be read to its end. */
const whyNotYet = (entry: AnswerEntry): string | null => {
  const { page } = entry;
  if (!page) return 'The complete request is still loading.';
  if (page.way === 'none') return page.why ?? 'It cannot be answered from here.';
  const chosen = chosenIn(entry);
  if (!chosen) return 'Choose with a digit first.';
  if (chosen.effect !== 'deny' && !entry.isRead) return 'Scroll to the end first: J or PageDown.';
  const { step } = shownSteps(entry);
  return step && !isComplete(step, entry.answers[entry.step])
    ? step.options.length > 0
      ? 'Choose with a digit first, or write an answer.'
      : 'This field is required.'
    : null;
};
