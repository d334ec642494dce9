/** Entries of the board: text fields and confirmations for one session or request. */
import { boardLimits } from '../../board-limits.ts';
import { durationOf } from '../duration.ts';
import type { Row } from './rows.ts';
import { type AnswerEntry, type Board, type Entry, isAnswerEntry, isTyping, type Pressed } from './state.ts';
import { shownRequest } from './request.ts';
import { shortId } from '../../contract/short-id.ts';

/** Opens the confirmation for the shown request, or explains why it cannot be answered here. */
export const openAnswer = (board: Board, { session }: Row, kind: AnswerEntry['kind'], now: number): Board => {
  const { id, approvals } = session;
  const request = shownRequest(board, session);
  if (!request)
    return {
      ...board,
      notice:
        approvals === 'held'
          ? 'The session has no open request.'
          : 'The session is not held. Enter goes to its dialog.',
    };
  if (request.until === null)
    return { ...board, notice: `Only the terminal can answer this request. Enter goes there.` };
  if (kind === 'allow' && request.kind === 'question')
    return {
      ...board,
      notice: `Answer the question with \`drover answer ${shortId(id)} … --id ${request.id}\`, or press Enter to go there.`,
    };
  const entry: AnswerEntry = {
    kind,
    text: '',
    id,
    request: request.id,
    summary: request.line,
    shownAt: now,
    scroll: 0,
    isRead: false,
  };
  return { ...board, entry };
};

/** Opens the field for how long to snooze a session. */
export const openSnooze = (board: Board, { session }: Row): Board => {
  const label = `${shortId(session.id)}${session.project ? ` in ${session.project}` : ''}`;
  return { ...board, entry: { kind: 'snooze', text: '10min', id: session.id, since: session.since, label } };
};

/** Inserts text, such as a paste, into the open field; without a field it is dropped. */
export const insertText = (board: Board, text: string): Board => {
  const { entry } = board;
  return entry && isTyping(board) ? write({ ...board, notice: null }, entry, `${entry.text}${text}`) : board;
};

/** Applies a key to the open entry. `page` is the number of its visible lines. */
export const typeKey = (board: Board, entry: Entry, key: string, now: number, page: number): Pressed => {
  const none = (next: Board): Pressed => ({ board: next, command: null });
  if (key === 'escape') {
    const cleared = entry.kind === 'filter' ? unfiltered('') : {};
    return none({ ...board, entry: null, ...cleared });
  }
  if (isAnswerEntry(entry)) {
    const scroll = Math.max(0, entry.scroll + scrollStep(entry, key, page));
    if (scroll !== entry.scroll) return none({ ...board, entry: { ...entry, scroll } });
  }
  if (key === 'enter') return submit(board, entry, now);
  if (entry.kind === 'allow') return none(key === 'q' ? { ...board, entry: null } : board);
  if (key === 'backspace') return none(write(board, entry, Array.from(entry.text).slice(0, -1).join('')));
  if (key === 'ctrl-u') return none(write(board, entry, ''));
  return none(Array.from(key).length === 1 ? write(board, entry, `${entry.text}${key}`) : board);
};

const unfiltered = (filter: string): Partial<Board> => ({ filter, selected: null, painted: null });

const write = (board: Board, entry: Entry, text: string): Board => {
  if (text.length > boardLimits.fieldText)
    return { ...board, notice: `No more than ${boardLimits.fieldText} characters fit here.` };
  return { ...board, entry: { ...entry, text }, ...(entry.kind === 'filter' && unfiltered(text)) };
};

/** Lines that a key scrolls a confirmation by. In a text field letters do not scroll. */
const scrollStep = ({ kind }: AnswerEntry, key: string, page: number): number => {
  const step = kind === 'allow' ? (letterSteps[key] ?? key) : key;
  const far = Number.MAX_SAFE_INTEGER / 2;
  const steps: Record<string, number> = {
    down: 1,
    up: -1,
    pagedown: page,
    pageup: -page,
    half: Math.ceil(page / 2),
    'half-back': -Math.ceil(page / 2),
    end: far,
    home: -far,
  };
  return steps[step] ?? 0;
};

const letterSteps: Record<string, string> = {
  j: 'down',
  J: 'down',
  k: 'up',
  K: 'up',
  ' ': 'pagedown',
  'ctrl-d': 'half',
  'ctrl-u': 'half-back',
  g: 'home',
  G: 'end',
};

const submit = (board: Board, entry: Entry, now: number): Pressed => {
  const closed = { ...board, entry: null };
  if (entry.kind === 'filter') return { board: closed, command: null };
  if (entry.kind === 'snooze') {
    const length = durationOf(entry.text.trim());
    const notice = `${JSON.stringify(entry.text)} is not a duration, such as 10min or 2h`;
    if (!length) return { board: { ...closed, notice }, command: null };
    return {
      board: { ...closed, selected: null },
      command: { kind: 'snooze', id: entry.id, seconds: length / 1_000 },
    };
  }
  // The Enter may have been pressed before the confirmation opened.
  if (now - entry.shownAt < boardLimits.confirmDelay) return { board, command: null };
  const refusal = entry.kind === 'allow' ? whyNotYet(board, entry) : null;
  if (refusal !== null) return { board: { ...board, notice: refusal }, command: null };
  const { kind, id, request, text } = entry;
  const message = text.trim();
  return {
    board: closed,
    command: {
      kind: 'answer',
      id,
      answer: { id: request, behavior: kind, ...(message !== '' && { message }) },
    },
  };
};

/** A request can only be allowed after its end was on the screen. */
const whyNotYet = ({ loaded }: Board, { request, isRead }: AnswerEntry): string | null => {
  const complete = loaded.get(request);
  if (!complete) return 'The complete request is still loading.';
  if (complete.input === null) return 'Drover no longer has the complete input. Answer in the terminal.';
  return isRead ? null : 'Scroll to the end first: J or PageDown.';
};
