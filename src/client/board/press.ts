/** Applies keys to the board. */
import { boardLimits } from '../../board-limits.ts';
import { type CommandId, commandOf, isApplicable } from './commands.ts';
import { openAnswer, openSnooze, typeKey } from './entry.ts';
import { pickRequest } from './request.ts';
import { type Row, rowsOf, selectedIn } from './rows.ts';
import type { Board, Pressed } from './state.ts';

/** Commands that act on the selected session. */
const sessionCommands = new Set<CommandId | null>([
  'go',
  'resume',
  'allow',
  'deny',
  'skip',
  'snooze',
  'dismiss',
]);

/**
 * Applies a key. Keys are single letters, or `enter`, `tab`, `escape`, `backspace`, `up`, `down`, `ctrl-d`, …
 * `page` is the number of visible rows, or of visible lines of a confirmation.
 */
export const press = (before: Board, key: string, now: number, page = 10): Pressed => {
  if (key === 'ctrl-c') return { board: before, command: { kind: 'quit' } };
  if (now < before.ignoreKeysUntil)
    return none({ ...before, ignoreKeysUntil: now + boardLimits.closedFieldPause });
  const board = { ...before, notice: null, last: key };
  if (board.entry) return typeKey(board, board.entry, key, now, page);
  if (board.help) return none({ ...board, help: false });
  const rows = rowsOf(board, now);
  const at = seenIn(board, rows);
  const row = rows[at];
  const id = commandOf(key);
  if (sessionCommands.has(id)) return act(board, row, id, now);
  const select = (index: number): Pressed => {
    const selected = rows[Math.max(0, Math.min(index, rows.length - 1))]?.session.id ?? null;
    return none({ ...board, selected, painted: null, scroll: 0 });
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
      return { board, command: { kind: 'quit' } };
    case 'tab':
      return { board, command: { kind: 'next' } };
    default:
      return none(board);
  }
};

const none = (board: Board): Pressed => ({ board, command: null });

/** The index of the session that the user saw selected; without a screen, of the selected one. */
const seenIn = (board: Board, rows: Row[]): number => {
  const { painted } = board;
  return painted === null
    ? selectedIn(board, rows)
    : rows.findIndex(({ session }) => session.id === painted.id);
};

/** Applies a command to the session that the user saw. One that has just moved under the cursor was not meant. */
const act = (board: Board, row: Row | undefined, id: CommandId | null, now: number): Pressed => {
  const { painted } = board;
  const isSwapped = painted?.id && (!row || now - painted.since < boardLimits.rowSettle);
  if (isSwapped)
    return none({ ...board, notice: 'The selected session has just changed. Press the key again.' });
  if (!row) return none(board);
  const { session } = row;
  const applies = id !== null && isApplicable(id, session);
  switch (id) {
    case 'allow':
    case 'deny':
      return none(openAnswer(board, row, id, now));
    case 'resume':
      // The daemon says why a session that has a successor cannot be resumed.
      if (session.state !== 'ended')
        return none({ ...board, notice: 'The session is running. Enter goes there.' });
      return { board, command: { kind: 'resume', id: session.id } };
    case 'snooze':
      return none(applies ? openSnooze(board, row) : notWaiting(board));
    case 'skip':
    case 'dismiss':
      if (!applies) return none(notWaiting(board));
      // The first session is selected next, not the deferred one.
      return { board: { ...board, selected: null }, command: { kind: id, id: session.id } };
    default:
      return { board, command: { kind: 'go', id: session.id } };
  }
};

const notWaiting = (board: Board): Board => ({ ...board, notice: 'The session is not waiting.' });
