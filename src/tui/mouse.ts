/** The mouse on the board: a click selects a row, the wheel scrolls what is under it. */
import { type Board, firstShown, isAnswerEntry, press, type Row, selectRow } from '../client/board.ts';
import type { Mouse } from './input-parser.ts';
import type { Layout } from './layout.ts';

/** Lines that one turn of the wheel scrolls. */
const wheelLines = 3;

/** Rows above the list: the head. */
const headRows = 1;

export const withMouse = (
  board: Board,
  { act, x, y }: Mouse,
  { rows, selected, layout, now }: { rows: Row[]; selected: number; layout: Layout; now: number },
): Board => {
  const { list, isWide } = layout;
  const isPanel = isAnswerEntry(board.entry);
  const line = y - headRows - 1;
  const isOnList = line >= 0 && line < list.height && (!isWide || x <= list.width);
  if (act === 'click') {
    const index = firstShown(selected, rows.length, list.height) + line;
    const isRow = isOnList && index < rows.length && board.entry === null && !board.help;
    return isRow ? selectRow(board, rows, index, now) : board;
  }
  const isDown = act === 'wheel-down';
  if (isPanel) return scrolled(board, isDown ? 'down' : 'up', wheelLines, now);
  if (board.entry !== null || board.help) return board;
  return isOnList
    ? scrolled(board, isDown ? 'j' : 'k', 1, now)
    : scrolled(board, isDown ? 'J' : 'K', wheelLines, now);
};

const scrolled = (board: Board, key: string, times: number, now: number): Board =>
  Array.from({ length: times }).reduce<Board>(state => press(state, key, now).board, board);
