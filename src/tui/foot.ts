/** The last lines of the board: the open text field, the last notice, and the available keys. */
import {
  type AnswerEntry,
  type Board,
  type Entry,
  hintOf,
  isAnswerEntry,
  isApplicable,
  type Row,
} from '../client/board.ts';
import { clean, cut, line, wide, wrap } from '../client/text.ts';
import type { Size } from './layout.ts';

export interface FootLine {
  kind: 'field' | 'notice' | 'hint';
  text: string;
}

export const footOf = (board: Board, row: Row | undefined, { columns, rows }: Size): FootLine[] => {
  const { entry, notice } = board;
  const room = Math.max(1, Math.floor(rows / 5));
  const notices = notice === null ? [] : lines('notice', line(notice, 10_000), columns, room);
  const field = entry ? fieldOf(entry, columns) : [];
  if (notices.length > 0) return [...notices, ...field];
  if (isAnswerEntry(entry)) return [...lines('hint', answerHint(board, entry), columns, room), ...field];
  return entry ? field : [{ kind: 'hint', text: hints(row) }];
};

const hints = (row: Row | undefined): string => {
  const ids =
    row && isApplicable('allow', row.session)
      ? (['allow', 'deny', 'go', 'next', 'skip', 'snooze', 'dismiss', 'help'] as const)
      : (['go', 'next', 'skip', 'snooze', 'dismiss', 'filter', 'help', 'quit'] as const);
  return ids.map(hintOf).join('  ');
};

const answerHint = (board: Board, entry: AnswerEntry): string => {
  if (entry.kind === 'deny') return 'Enter deny  Esc cancel  ↓ ↑ PageDown scroll';
  if (!board.loaded.has(entry.request)) return 'Loading …  Esc cancel';
  return entry.isRead
    ? 'Enter allow  Esc cancel  J K scroll'
    : 'Scroll to the end with J or PageDown  Esc cancel';
};

/** Wraps a text; marks what does not fit. */
const lines = (kind: FootLine['kind'], text: string, width: number, room: number): FootLine[] => {
  const all = wrap(text, width);
  const shown = all.slice(0, room);
  if (all.length > room) shown[room - 1] = cut(`${shown[room - 1]} ${all[room]}`, width - 1);
  return shown.map(given => ({ kind, text: given }));
};

/** Shows the end of the typed text, where the cursor is. */
const fieldOf = (entry: Entry, width: number): FootLine[] => {
  if (entry.kind === 'allow') return [];
  const head = line(headOf(entry), Math.max(2, Math.floor(width / 2)));
  const room = Math.max(1, width - wide(head) - 2);
  const letters = Array.from(clean(entry.text).replaceAll('\n', ' '));
  let text = letters.join('');
  while (wide(text) > room && letters.length > 0) {
    letters.shift();
    text = `…${letters.join('')}`;
  }
  return [{ kind: 'field', text: `${head}${head === '/' ? '' : ' '}${text}` }];
};

const headOf = (entry: Exclude<Entry, { kind: 'allow' }>): string => {
  if (entry.kind === 'filter') return '/';
  return entry.kind === 'snooze' ? `Snooze ${entry.label} for:` : 'Message to the model (optional):';
};
