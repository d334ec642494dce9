import { expect, test } from 'vitest';
import { type Board, emptyBoard, isAnswerEntry, rowsOf, selectedIn, withSnapshot } from '../client/board.ts';
import { openNextPanel } from '../client/board.ts';
import { aSession } from '../testing/session.ts';
import type { Mouse } from './input-parser.ts';
import { layoutOf } from './layout.ts';
import { withMouse } from './mouse.ts';

const request = {
  id: 1,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: 'x',
  at: 1,
  until: null,
} as const;
const board = withSnapshot(
  emptyBoard,
  ['a', 'b', 'c'].map((id, since) =>
    aSession({ id, since, state: 'waiting', reason: 'permission', requests: [request] }),
  ),
  1_000,
);

const after = (given: Board, act: Mouse['act'], x: number, y: number, columns = 80): Board => {
  const rows = rowsOf(given, 1_000);
  const selected = selectedIn(given, rows);
  const layout = layoutOf(given, rows, selected, { columns, rows: 24 });
  return withMouse(given, { kind: 'mouse', act, x, y }, { rows, selected, layout, now: 1_000 });
};

test('a click selects the row under it, and nothing anywhere else', () => {
  expect(after(board, 'click', 5, 3).selected).toBe('b');
  expect(after(board, 'click', 5, 4).selected).toBe('c');
  for (const y of [1, 5, 24]) expect(after(board, 'click', 5, y).selected).toBeNull();
  // Beside the list is the selected session.
  expect(after(board, 'click', 150, 3, 160).selected).toBeNull();
});

test('the wheel moves in the list and scrolls the text, also that of the panel', () => {
  expect(after(board, 'wheel-down', 5, 2).selected).toBe('b');
  expect(after(board, 'wheel-down', 5, 12)).toMatchObject({ selected: null, scroll: 3 });
  const panel = openNextPanel(board, 1_000);
  const { entry } = after(panel, 'wheel-down', 5, 2);
  expect(isAnswerEntry(entry) && entry.scroll).toBe(3);
  expect(after(panel, 'click', 5, 3)).toBe(panel);
});
