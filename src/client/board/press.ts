/** What a key does on the board. */
import { boardLimits } from '../../board-limits.ts';
import { isQueued } from '../../session/queue.ts';
import { openAnswer, openSnooze, typeKey } from './entry.ts';
import { pickRequest } from './request.ts';
import { type Row, rowsOf, selectedIn } from './rows.ts';
import type { Board, Pressed } from './state.ts';

/** The keys, as `?` lists them. */
export const keys: [key: string, what: string][] = [
  ['j k ↓ ↑', 'down, up'],
  ['gg G', 'first, last'],
  ['^d ^u', 'half a page down, up'],
  ['1-9', 'select by turn'],
  ['J K', 'scroll what it asks'],
  ['[ ]', 'show another open request of the session'],
  ['Enter l', 'go to the session'],
  ['Tab', 'go to the next in the queue'],
  ['a x', 'allow, deny the request that is shown'],
  ['s', 'skip: to the back of the queue for 30 s'],
  ['z', 'snooze: deferred for a time'],
  ['d', 'dismiss: deferred until its state changes'],
  ['/', 'filter; Esc clears it'],
  ['R', 'take an ended session up again'],
  ['?', 'these keys'],
  ['q', 'leave'],
];

/** Keys that do something to the selected session. */
const acts = /^(?:enter|[lRaxsdz])$/;

/**
 * What a key does. Keys are single letters, or `enter`, `tab`, `escape`, `backspace`, `up`, `down`, `ctrl-d`, …
 * `page` is how many rows are in sight, or how many lines of a confirmation.
 */
export const press = (before: Board, key: string, now: number, page = 10): Pressed => {
  if (key === 'ctrl-c') return { board: before, wish: { kind: 'quit' } };
  if (now < before.deafUntil) return none({ ...before, deafUntil: now + boardLimits.closedFieldPause });
  const board = { ...before, notice: null, last: key };
  if (board.entry) return typeKey(board, board.entry, key, now, page);
  if (board.help) return none({ ...board, help: false });
  const rows = rowsOf(board, now);
  const at = seenIn(board, rows);
  const row = rows[at];
  if (acts.test(key)) return act(board, row, key, now);
  const select = (index: number): Pressed => {
    const id = rows[Math.max(0, Math.min(index, rows.length - 1))]?.session.id ?? null;
    return none({ ...board, selected: id, painted: null, scroll: 0 });
  };
  if (/^[1-9]$/.test(key)) return select(Number(key) - 1);
  switch (key) {
    case 'j':
    case 'down':
      return select(at + 1);
    case 'k':
    case 'up':
      return select(at - 1);
    case 'ctrl-d':
    case 'pagedown':
      return select(at + Math.ceil(page / 2));
    case 'ctrl-u':
    case 'pageup':
      return select(at - Math.ceil(page / 2));
    case 'g':
      // The second of two, and not the first of the next two.
      return before.last === 'g' ? select(0) : none(board);
    case 'home':
      return select(0);
    case 'G':
    case 'end':
      return select(rows.length - 1);
    case 'J':
      return none({ ...board, scroll: board.scroll + 1 });
    case 'K':
      return none({ ...board, scroll: Math.max(0, board.scroll - 1) });
    case '[':
    case ']':
      return none(row ? pickRequest(board, row.session, key === ']' ? 1 : -1) : board);
    case '/':
      return none({ ...board, entry: { kind: 'filter', text: board.filter } });
    case 'escape':
      return none({ ...board, filter: '', selected: null, painted: null });
    case '?':
      return none({ ...board, help: true });
    case 'q':
      return { board, wish: { kind: 'quit' } };
    case 'tab':
      return { board, wish: { kind: 'next' } };
    default:
      return none(board);
  }
};

const none = (board: Board): Pressed => ({ board, wish: null });

/** Where the session stands that the user saw selected; without a screen, the one that is selected. */
const seenIn = (board: Board, rows: Row[]): number => {
  const { painted } = board;
  return painted === null
    ? selectedIn(board, rows)
    : rows.findIndex(({ session }) => session.id === painted.id);
};

/** Does something to the session that the user saw. One that has just come under the cursor was not meant. */
const act = (board: Board, row: Row | undefined, key: string, now: number): Pressed => {
  const { painted } = board;
  const isSwapped = painted?.id && (!row || now - painted.since < boardLimits.rowSettle);
  if (isSwapped)
    return none({ ...board, notice: 'The selected session changed just now: press the key again.' });
  if (!row) return none(board);
  const { id } = row.session;
  switch (key) {
    case 'a':
      return none(openAnswer(board, row, 'allow', now));
    case 'x':
      return none(openAnswer(board, row, 'deny', now));
    case 'R':
      return resume(board, row);
    case 's':
    case 'd':
    case 'z':
      return defer(board, row, key);
    default:
      return { board, wish: { kind: 'go', id } };
  }
};

/** Takes an ended session up again; one that lives is gone to with Enter. */
const resume = (board: Board, { session }: Row): Pressed => {
  if (session.state !== 'ended') return none({ ...board, notice: 'It is running: Enter goes there.' });
  return { board, wish: { kind: 'resume', id: session.id } };
};

const defer = (board: Board, row: Row, key: 's' | 'd' | 'z'): Pressed => {
  if (!isQueued(row.session)) return none({ ...board, notice: 'It is not waiting.' });
  if (key === 'z') return none(openSnooze(board, row));
  // What stands first now is looked at next, not what was put away.
  const next = { ...board, selected: null };
  return { board: next, wish: { kind: key === 's' ? 'skip' : 'dismiss', id: row.session.id } };
};
