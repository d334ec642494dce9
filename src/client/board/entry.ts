/** Text fields of the board: filter, snooze, message, title and tags; and the question before an interrupt. */
import { boardLimits } from '../../board-limits.ts';
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { isQueued } from '../../session/queue/queue.ts';
import { durationOf } from '../duration.ts';
import { pressChanges } from './changes-panel.ts';
import { newText, pressNew, withNewText } from './new-form.ts';
import { pressPanel, withWritten, writtenIn } from './panel.ts';
import {
  type Board,
  type Entry,
  type ConfirmEntry,
  isTyping,
  type Pressed,
  type SnoozeEntry,
  type TextEntry,
} from './state.ts';
import { commandFor, labelOf, withDeferred } from './targets.ts';

type FieldEntry = Extract<Entry, { kind: 'filter' }> | SnoozeEntry | TextEntry;

/** Opens the field for how long to snooze sessions. */
export const openSnooze = (board: Board, sessions: Session[]): Board => {
  const [first] = sessions;
  if (!first) return board;
  const label =
    sessions.length > 1
      ? labelOf(sessions)
      : `${shortId(first.id)}${first.project ? ` in ${first.project}` : ''}`;
  const ids = sessions.map(({ id }) => id);
  return { ...board, entry: { kind: 'snooze', text: '10min', id: first.id, since: first.since, label, ids } };
};

/** Opens the field for a message, a title or tags. `message`: what it begins with. */
export const openText = (board: Board, kind: TextEntry['kind'], sessions: Session[], message = ''): Board => {
  const [first] = sessions;
  if (!first) return board;
  const texts = {
    message: message.slice(0, boardLimits.fieldText),
    rename: first.titleFrom === 'person' ? (first.title ?? '') : '',
    tag: first.tags.join(' '),
  };
  const entry: TextEntry = {
    kind,
    text: texts[kind],
    ids: sessions.map(({ id }) => id),
    label: labelOf(sessions),
  };
  return { ...board, entry };
};

/** Asks before a turn is interrupted, or sessions are parked or resumed. */
export const openConfirm = (
  board: Board,
  action: ConfirmEntry['action'],
  sessions: Session[],
  now: number,
): Board => {
  const [first] = sessions;
  if (!first) return board;
  const ids = sessions.map(({ id }) => id);
  const label = labelOf(sessions);
  return { ...board, entry: { kind: 'confirm', action, text: '', id: first.id, ids, label, shownAt: now } };
};

/** Inserts text, such as a paste, into the open field; without a field it is dropped. */
export const insertText = (board: Board, text: string): Board => {
  const { entry } = board;
  if (!entry || !isTyping(board)) return board;
  const next = { ...board, notice: null };
  if (entry.kind === 'answer') return withWritten(next, entry, `${writtenIn(entry)}${text}`);
  if (entry.kind === 'new') return withNewText(next, entry, `${newText(entry)}${text}`);
  return entry.kind === 'confirm' || entry.kind === 'changes'
    ? board
    : write(next, entry, `${entry.text}${text}`);
};

/** Applies a key to the open entry. `page` is the number of its visible lines. */
export const typeKey = (board: Board, entry: Entry, key: string, now: number, page: number): Pressed => {
  if (entry.kind === 'answer') return pressPanel(board, entry, key, now, page);
  if (entry.kind === 'new') return pressNew(board, entry, key);
  if (entry.kind === 'changes') return pressChanges(board, entry, key, page);
  if (entry.kind === 'confirm') return pressConfirm(board, entry, key, now);
  const none = (next: Board): Pressed => ({ board: next, command: null });
  if (key === 'escape')
    return none({ ...board, entry: null, ...(entry.kind === 'filter' && unfiltered('')) });
  if (key === 'enter') return submit(board, entry);
  if (key === 'backspace') return none(write(board, entry, Array.from(entry.text).slice(0, -1).join('')));
  if (key === 'ctrl-u') return none(write(board, entry, ''));
  return none(Array.from(key).length === 1 ? write(board, entry, `${entry.text}${key}`) : board);
};

const unfiltered = (filter: string): Partial<Board> => ({ filter, selected: null, painted: null });

const write = (board: Board, entry: FieldEntry, text: string): Board => {
  if (text.length > boardLimits.fieldText)
    return { ...board, notice: `No more than ${boardLimits.fieldText} characters fit here.` };
  return { ...board, entry: { ...entry, text }, ...(entry.kind === 'filter' && unfiltered(text)) };
};

const pressConfirm = (board: Board, entry: ConfirmEntry, key: string, now: number): Pressed => {
  const closed = { ...board, entry: null };
  // Enter may have been pressed before the question appeared.
  const isEarly = now - entry.shownAt < boardLimits.confirmDelay;
  if (key === 'enter')
    return isEarly
      ? { board, command: null }
      : {
          board: { ...closed, marked: new Set() },
          command: commandFor(entry.ids.map(id => ({ kind: entry.action, id }))),
        };
  return { board: key === 'escape' || key === 'q' ? closed : board, command: null };
};

const submit = (board: Board, entry: FieldEntry): Pressed => {
  const closed: Board = { ...board, entry: null };
  if (entry.kind === 'filter') return { board: closed, command: null };
  if (entry.kind === 'snooze') return submitSnooze(closed, entry);
  const text = entry.text.trim();
  const [id = ''] = entry.ids;
  if (entry.kind === 'rename')
    return { board: closed, command: { kind: 'rename', id, title: text === '' ? null : text } };
  if (entry.kind === 'tag') return submitTags(closed, id, text);
  if (text === '') return { board: closed, command: null };
  return {
    board: { ...closed, marked: new Set(), notice: `Sending to ${entry.label} …` },
    command: commandFor(entry.ids.map(one => ({ kind: 'message', id: one, text }))),
  };
};

const submitSnooze = (closed: Board, { text, ids }: SnoozeEntry): Pressed => {
  const length = durationOf(text.trim());
  if (!length) {
    const notice = `${JSON.stringify(text)} is not a duration, such as 10min or 2h`;
    return { board: { ...closed, notice }, command: null };
  }
  const waiting = ids.filter(id => {
    const session = closed.sessions.get(id);
    return session !== undefined && isQueued(session);
  });
  return {
    board: withDeferred(closed, waiting),
    command: commandFor(waiting.map(id => ({ kind: 'snooze', id, seconds: length / 1_000 }))),
  };
};

/** The field has all tags: those that are missing in it are removed. */
const submitTags = (closed: Board, id: string, text: string): Pressed => {
  const before = closed.sessions.get(id)?.tags ?? [];
  const after = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const add = after.filter(tag => !before.includes(tag));
  const remove = before.filter(tag => !after.includes(tag));
  if (add.length + remove.length === 0) return { board: closed, command: null };
  return { board: closed, command: { kind: 'tag', id, add, remove } };
};
