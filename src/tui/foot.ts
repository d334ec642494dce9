/** The last lines of the board: the open text field, the last notice, and the keys that work now. */
import {
  commands,
  type Board,
  canUndo,
  type CommandId,
  type Entry,
  hintOf,
  isAnswerEntry,
  isApplicable,
  panelField,
  panelHint,
  type Row,
  writtenIn,
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
  const hint = entry ? entryHint(entry) : hints(board, row, columns);
  return hint === '' ? field : [...lines('hint', hint, columns, room), ...field];
};

/** The keys in the order of their importance; only those that work on the selected row. */
const order: CommandId[] = [
  'answer',
  'deny',
  'go',
  'resume',
  'next',
  'skip',
  'snooze',
  'dismiss',
  'undo',
  'permit',
  'message',
  'interrupt',
  'park',
  'new',
  'changes',
  'rename',
  'tag',
  'mark',
  'filter',
  'openPage',
  'quit',
];

const hints = (board: Board, row: Row | undefined, width: number): string => {
  const help = hintOf('help');
  const marks = board.marked.size > 0 ? [`${board.marked.size} marked`] : [];
  const fit = order.filter(id => isUsable(id, board, row)).map(hintOf);
  const shown = [...marks, ...fit];
  while (shown.length > 0 && wide([...shown, help].join('  ')) > width) shown.pop();
  return [...shown, help].join('  ');
};

const anywhere = new Set<CommandId>(['new', 'filter', 'openPage', 'quit']);

const isUsable = (id: CommandId, board: Board, row: Row | undefined): boolean => {
  if (anywhere.has(id)) return true;
  if (id === 'undo') return canUndo(board, row);
  if (!row) return false;
  return id === 'next' ? true : isApplicable(id, row.session);
};

const entryHint = (entry: Entry): string => {
  if (isAnswerEntry(entry)) return panelHint(entry);
  if (entry.kind === 'changes') return 'j k scroll  Space page  G end  Esc close';
  if (entry.kind === 'confirm') {
    const { label } = commands[entry.action];
    return `${label} ${clean(entry.label)}?  Enter ${label.toLowerCase()}  Esc cancel`;
  }
  if (entry.kind !== 'new') return '';
  const enter = entry.field === 'project' ? 'Enter choose' : 'Enter start';
  const own = { project: '↓ ↑ select', prompt: '', mode: '1-4 choose', worktree: 'Space change' }[
    entry.field
  ];
  return [enter, own, 'Tab next field', 'Esc cancel'].filter(Boolean).join('  ');
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
  const fullHead = headOf(entry);
  if (fullHead === null) return [];
  const head = line(fullHead, Math.max(2, Math.floor(width / 2)));
  const given = isAnswerEntry(entry) ? writtenIn(entry) : entry.text;
  return [
    { kind: 'field', text: `${head}${head === '/' ? '' : ' '}${endOf(given, width - wide(head) - 2)}` },
  ];
};

/** The end of a text that fits. */
export const endOf = (given: string, room: number): string => {
  const letters = Array.from(clean(given).replaceAll('\n', ' '));
  let text = letters.join('');
  while (wide(text) > Math.max(1, room) && letters.length > 0) {
    letters.shift();
    text = `…${letters.join('')}`;
  }
  return text;
};

/** The label before the field; null if the entry has none in the last line. */
const headOf = (entry: Entry): string | null => {
  switch (entry.kind) {
    case 'filter':
      return '/';
    case 'snooze':
      return `Snooze ${entry.label} for:`;
    case 'message':
      return `Message to ${entry.label}:`;
    case 'rename':
      return `Title of ${entry.label}:`;
    case 'tag':
      return `Tags of ${entry.label}:`;
    case 'answer':
      return panelField(entry);
    default:
      return null;
  }
};
