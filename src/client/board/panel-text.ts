/** The answer panel as text: its title, the session and the complete request, the choices, and the hint below. */
import type { RequestPage } from '../../contract/answer.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { otherLines, sessionLines } from '../request-text.ts';
import { clean, visible } from '../text.ts';
import { titleOf } from './labels.ts';
import { chosenIn, shownSteps } from './panel.ts';
import { wrapAll, wrappedRequest } from './request.ts';
import { type Group, rowsOf } from './rows.ts';
import type { AnswerEntry, Board } from './state.ts';

/** The title of the panel: `Allow Bash in shop?` */
export const panelTitle = (board: Board, entry: AnswerEntry): string => {
  const session = board.sessions.get(entry.id);
  const request = session?.requests.find(({ id }) => id === entry.request);
  const place = clean(session?.project ?? shortId(entry.id));
  switch (request?.kind ?? entry.page?.kind) {
    case 'plan':
      return `Approve the plan in ${place}?`;
    case 'question':
      return `A question in ${place}`;
    case 'elicitation':
      return `A form in ${place}`;
    case 'dialog':
      return `A dialog in ${place}`;
    default:
      return `Allow ${clean(request?.tool ?? entry.page?.tool ?? 'this')} in ${place}?`;
  }
};

/** The session, the complete input and the other open requests, in lines of `width` columns. */
export const panelLines = (board: Board, entry: AnswerEntry, width: number): string[] => {
  const { id, request: number, page, over } = entry;
  if (over !== null) return wrapAll([over, '', 'Press any key to close this panel.'], width);
  const session = board.sessions.get(id);
  const open = session?.requests.find(request => request.id === number);
  if (!session || !open) return [];
  const others = session.requests.filter(request => request.id !== number);
  return [
    ...wrapAll(factsOf(session, open), width),
    ...(page ? requestText(session, page, width) : wrapAll(['', 'Loading the complete request …'], width)),
    ...wrapAll(otherLines([open, ...others]), width),
  ];
};

/** The input; what has none, such as a start-up dialog, is described by its session. */
const requestText = (session: Session, page: RequestPage, width: number): string[] => {
  if (page.input === null && session.detail?.request === page.id)
    return wrapAll(sessionLines({ ...session, requests: [] }).slice(1), width);
  return wrappedRequest(page, width).slice(1);
};

const factsOf = (session: Session, { agent, tool }: OpenRequest): string[] => [
  fact('Session', `${titleOf(session)} (${shortId(session.id)})`),
  fact('Folder', session.cwd ?? session.dir),
  ...(tool ? [fact('Tool', tool)] : []),
  ...(agent ? [fact('Subagent', agent)] : []),
];

const fact = (name: string, value: string | null): string =>
  `${name.padEnd(9)}${visible(value ?? '-').replaceAll('\n', ' ')}`;

/** What can be chosen, numbered as the digits choose it, in lines of `width` columns. */
export const choiceLines = (entry: AnswerEntry, width: number): string[] => {
  const { page, over, isConfirming, step: at } = entry;
  if (!page || over !== null) return [];
  if (page.way === 'none') return wrapAll([page.why ?? 'It cannot be answered from here.'], width);
  const chosen = chosenIn(entry);
  if (isConfirming && chosen) return wrapAll([chosen.label, chosen.confirm ?? ''], width);
  const { steps, step } = shownSteps(entry);
  if (step) {
    const { picked = [], text = '' } = entry.answers[at] ?? {};
    const mark = (isOn: boolean) => (step.isMulti ? (isOn ? '[x]' : '[ ]') : isOn ? '(•)' : '( )');
    const free = `${mark(text !== '')} ${step.options.length + 1}. ${text === '' ? 'Write an answer' : clean(text)}`;
    const options = step.options.map(
      ({ value, label }, n) => `${mark(picked.includes(value))} ${n + 1}. ${clean(label)}`,
    );
    const number = steps.length > 1 ? `${at + 1} of ${steps.length}: ` : '';
    const isNamed = options.length === 0 || number !== '' || !step.isOpen;
    const title = isNamed ? [`${number}${clean(step.text)}`] : [];
    return wrapAll([...title, ...options, ...(options.length > 0 && step.isOpen ? [free] : [])], width);
  }
  const lines = page.choices.map(
    ({ choice, label, rule }, n) =>
      `${choice === entry.choice ? '(•)' : '( )'} ${n + 1}. ${clean(label)}${rule ? `: ${visible(rule)}` : ''}`,
  );
  return wrapAll(lines, width);
};

/** The keys that work in the panel now. */
export const panelHint = (entry: AnswerEntry): string => {
  const { page, over, isWriting, isRead, isConfirming } = entry;
  if (over !== null) return 'Any key closes';
  if (!page) return 'Loading …  Esc close';
  if (page.way === 'none') return 'Tab next  Esc close  J K scroll';
  if (isConfirming) return 'Enter confirm  Esc close';
  const chosen = chosenIn(entry);
  const { steps } = shownSteps(entry);
  const isLast = entry.step >= steps.length - 1;
  if (isWriting)
    return `Enter ${isLast ? 'send' : 'next'}  Backspace in the empty field: back to the choices  Esc close`;
  if (chosen && chosen.effect !== 'deny' && !isRead) return 'Scroll to the end with J or PageDown  Esc close';
  const digits = steps[entry.step]?.isMulti ? '1-9 tick' : '1-9 choose';
  const enter = !chosen ? '' : isLast ? 'Enter send' : 'Enter next';
  const back = entry.step > 0 ? '[ back' : '';
  return [digits, enter, back, steps.length > 0 ? 'x decline' : '', 'Tab next', 'Esc close', 'J K scroll']
    .filter(Boolean)
    .join('  ');
};

/** The head of the panel's text field; null while it has none. */
export const panelField = (entry: AnswerEntry): string | null => {
  if (!entry.isWriting || entry.over !== null) return null;
  return shownSteps(entry).step ? 'Your answer:' : 'Message to the model (optional):';
};

/** What the panel says when no request is open: `Nothing is waiting. 12 working.` */
export const nothingText = (board: Board, now: number): string => {
  const rows = rowsOf(board, now);
  const count = (group: Group) => rows.filter(row => row.group === group).length;
  const [waiting, working] = [count('waiting'), count('working')];
  return waiting === 0
    ? `Nothing is waiting. ${working} working.`
    : `Nothing to answer. ${waiting} finished, ${working} working.`;
};
