/** The sessions that a command acts on: the marked ones, else the selected one. */
import type { Session } from '../../contract/session.ts';
import { type CommandId, isApplicable } from './commands.ts';
import { titleOf } from './labels.ts';
import type { Row } from './rows.ts';
import type { Board, BoardCommand, SessionCommand } from './state.ts';

/** Commands that act on all marked sessions. */
const forSeveral = new Set<CommandId>(['skip', 'snooze', 'dismiss', 'message', 'park']);

/** The sessions that a command applies to. Marked ones that it does not apply to are left out. */
export const targetsOf = (board: Board, row: Row, id: CommandId): Session[] => {
  const isSeveral = board.marked.size > 0 && forSeveral.has(id);
  const marked = isSeveral ? Array.from(board.marked, key => board.sessions.get(key)) : [row.session];
  return marked.filter((session): session is Session => session !== undefined && isApplicable(id, session));
};

/** Marks the session, or takes its mark away. */
export const withMark = (board: Board, id: string): Board => {
  const marked = new Set(board.marked);
  if (!marked.delete(id)) marked.add(id);
  return { ...board, marked };
};

export const labelOf = (sessions: Session[]): string => {
  const [first] = sessions;
  return sessions.length === 1 && first ? titleOf(first) : `${sessions.length} sessions`;
};

/** One command, or several in a row. */
export const commandFor = (commands: SessionCommand[]): BoardCommand | null => {
  const [first] = commands;
  return commands.length > 1 ? { kind: 'several', commands } : (first ?? null);
};

/** Remembers what was deferred, for `u`, and clears the marks. The first session is selected next, not the deferred one. */
export const withDeferred = (board: Board, ids: string[]): Board => ({
  ...board,
  selected: null,
  marked: new Set(),
  undo: [...board.undo, ids].slice(-undoDepth),
});

const undoDepth = 20;
