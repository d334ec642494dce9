/** Applies keys to the board. */
import { boardLimits } from '../../board-limits.ts';
import { deferralOf } from '../../session/queue/deferral.ts';
import { whyAway } from '../fleet-text.ts';
import { type CommandId, commandOf, hasDialog } from './commands.ts';
import { openConfirm, openSnooze, openText, typeKey } from './entry.ts';
import { permitText } from '../denied-text.ts';
import { openChanges } from './changes-panel.ts';
import { openNew } from './new-form.ts';
import { openPanel } from './panel.ts';
import { pickRequest } from './request.ts';
import { type Row, rowsOf, selectedIn } from './rows.ts';
import type { Board, Pressed } from './state.ts';
import { commandFor, targetsOf, withDeferred, withMark } from './targets.ts';

/** Commands that act on the selected session, or on the marked ones. */
const sessionCommands = new Set<CommandId | null>([
  'go',
  'resume',
  'answer',
  'deny',
  'skip',
  'snooze',
  'dismiss',
  'message',
  'permit',
  'interrupt',
  'rename',
  'tag',
  'park',
  'changes',
  'mark',
]);

/**
 * Applies a key. Keys are single letters, or `enter`, `tab`, `escape`, `backspace`, `up`, `down`, `ctrl-d`, …
 * `page` is the number of visible rows, or of visible lines of a panel.
 */
export const press = (before: Board, key: string, now: number, page = 10): Pressed => {
  if (key === 'ctrl-c') return { board: before, command: { kind: 'quit' } };
  if (now < before.ignoreKeysUntil)
    return unchanged({ ...before, ignoreKeysUntil: now + boardLimits.closedFieldPause });
  const board = { ...before, notice: null, last: key };
  if (board.entry) return typeKey(board, board.entry, key, now, page);
  if (board.help) return unchanged({ ...board, help: false });
  const rows = rowsOf(board, now);
  const at = seenIn(board, rows);
  const row = rows[at];
  const id = commandOf(key);
  if (sessionCommands.has(id)) return act(board, rows, row, id as CommandId, now);
  const select = (index: number): Pressed => unchanged(selectRow(board, rows, index, now));
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
      // The second `g` of `gg`. A third one begins a new pair.
      return before.last === 'g' ? select(0) : unchanged(board);
    case 'home':
      return select(0);
    case 'G':
    case 'end':
      return select(rows.length - 1);
    case 'J':
      return unchanged({ ...board, scroll: board.scroll + 1 });
    case 'K':
      return unchanged({ ...board, scroll: Math.max(0, board.scroll - 1) });
    case '[':
    case ']':
      return unchanged(row ? pickRequest(board, row.session, key === ']' ? 1 : -1) : board);
    case '/':
      return unchanged({ ...board, entry: { kind: 'filter', text: board.filter } });
    case 'escape':
      // First the marks, then the filter.
      if (board.marked.size > 0) return unchanged({ ...board, marked: new Set() });
      return unchanged({ ...board, filter: '', selected: null, painted: null });
    case '?':
      return unchanged({ ...board, help: true });
    case 'q':
      return { board, command: { kind: 'quit' } };
    case 'tab':
    case 'backtab':
      return { board, command: { kind: 'next' } };
    case 'N':
      return unchanged(openNew(board));
    case 'u':
      return undo(board, row);
    case 'o':
      return { board, command: { kind: 'page', id: row?.session.id ?? null } };
    default:
      return unchanged(board);
  }
};

const unchanged = (board: Board): Pressed => ({ board, command: null });

/** Selects a row by its index, as a person does with a key or the mouse. */
export const selectRow = (board: Board, rows: Row[], index: number, now: number): Board => {
  const selected = rows[Math.max(0, Math.min(index, rows.length - 1))]?.session.id ?? null;
  return { ...board, selected, selectedAt: now, painted: null, scroll: 0 };
};

/** The index of the session that the user saw selected; without a screen, of the selected one. */
const seenIn = (board: Board, rows: Row[]): number => {
  const { painted } = board;
  return painted === null
    ? selectedIn(board, rows)
    : rows.findIndex(({ session }) => session.id === painted.id);
};

/** Applies a command to the session that the user saw. One that has just moved under the cursor was not meant. */
const act = (board: Board, rows: Row[], row: Row | undefined, id: CommandId, now: number): Pressed => {
  const { painted } = board;
  const isSwapped = painted?.id && (!row || now - painted.since < boardLimits.rowSettle);
  if (isSwapped)
    return unchanged({ ...board, notice: 'The selected session has just changed. Press the key again.' });
  if (!row) return unchanged(board);
  const { session } = row;
  if (id === 'mark')
    return unchanged(selectRow(withMark(board, session.id), rows, rows.indexOf(row) + 1, now));
  const targets = targetsOf(board, row, id);
  if (targets.length === 0) return unchanged({ ...board, notice: whyAway(session, now) ?? whyNot(id, row) });
  switch (id) {
    case 'answer':
    case 'deny':
      return unchanged(openPanel(board, session, now, id === 'deny'));
    case 'snooze':
      return unchanged(openSnooze(board, targets));
    case 'permit':
      return unchanged(openText(board, 'message', [session], permitText(session.denied?.last[0])));
    case 'message':
    case 'rename':
    case 'tag':
      return unchanged(openText(board, id, targets));
    case 'changes':
      return unchanged(openChanges(board, session));
    case 'interrupt':
      return unchanged(openConfirm(board, 'interrupt', [session], now));
    case 'skip':
    case 'dismiss': {
      const ids = targets.map(target => target.id);
      return {
        board: withDeferred(board, ids),
        command: commandFor(ids.map(one => ({ kind: id, id: one }))),
      };
    }
    case 'park':
      return unchanged(openConfirm(board, 'park', targets, now));
    case 'go':
      return { board, command: { kind: 'go', id: session.id } };
    default:
      return unchanged(openConfirm(board, 'resume', [session], now));
  }
};

/** Brings back what was deferred last; without that, the selected session if it is deferred. */
const undo = (board: Board, row: Row | undefined): Pressed => {
  const last = board.undo.at(-1) ?? (row && isDeferred(row) ? [row.session.id] : []);
  return {
    board: {
      ...board,
      undo: board.undo.slice(0, -1),
      ...(last.length === 0 && { notice: 'Nothing to undo.' }),
    },
    command: commandFor(last.map(id => ({ kind: 'undo', id }))),
  };
};

const isDeferred = ({ session }: Row): boolean => {
  const { skipped = null, snoozed = null, dismissed = null } = deferralOf(session) ?? {};
  return skipped !== null || snoozed !== null || dismissed !== null;
};

/** Whether `u` has something to undo. */
export const canUndo = (board: Board, row: Row | undefined): boolean =>
  board.undo.length > 0 || (row !== undefined && isDeferred(row));

const whyNot = (id: CommandId, { session }: Row): string => {
  switch (id) {
    case 'answer':
    case 'deny':
      return 'The session has no open request.';
    case 'resume':
      return session.state === 'ended'
        ? 'A newer session has replaced this one.'
        : 'The session is running. Enter goes there.';
    case 'go':
      return 'The session has no pane.';
    case 'interrupt':
      return 'The session is not working.';
    case 'changes':
      return 'The session has changed no files.';
    case 'park':
      return session.state !== 'ended' ? 'Only an idle session can be parked.' : 'The session has ended.';
    case 'permit':
      return 'Claude Code denied nothing in its last turn.';
    case 'message':
      return hasDialog(session) ? 'Answer its dialog first.' : 'The session has ended.';
    default:
      return 'The session is not waiting.';
  }
};
