import { expect, test } from 'vitest';
import { dialogOf } from '../../claude/screen/dialog.ts';
import type { PaneScreen } from '../../tmux/server/pane-screen.ts';
import { SelectionWatch } from './selection-watch.ts';
import type { Seen } from './terminal-screen.ts';

const at = (selected: number, ms: number, paintedAt = 0): Seen => {
  const options = ['Yes', 'Yes, and allow it', 'No'].map(
    (label, n) => ` ${n === selected ? '❯' : ' '} ${n + 1}. ${label}`,
  );
  const rows = ['─'.repeat(40), ' Bash command', '   touch a', ' Do you want to proceed?', ...options];
  return { pane: { rows, paintedAt, isAlone: true } as PaneScreen, dialog: dialogOf(rows, 40), at: ms };
};

test('a selection that moved within the last second is somebody at the terminal', () => {
  const inUse = new SelectionWatch();
  inUse.assertFree('a', at(0, 1_000));
  inUse.assertFree('a', at(0, 1_100));
  inUse.assertFree('b', at(1, 1_150));
  expect(() => inUse.assertFree('a', at(1, 1_200))).toThrow('Someone is using that terminal.');
  // And it stays so for a second.
  expect(() => inUse.assertFree('a', at(1, 2_100))).toThrow('Someone is using that terminal.');
  inUse.assertFree('a', at(1, 2_201));
});

test('a move that may be old, or that Drover made, does not mean that somebody is there', () => {
  const inUse = new SelectionWatch();
  inUse.assertFree('a', at(0, 1_000));
  expect(() => inUse.assertFree('a', at(2, 9_000))).not.toThrow();
  inUse.forget('a');
  expect(() => inUse.assertFree('a', at(0, 9_100))).not.toThrow();
});

test('a selection that is not where dialogs begin may have moved, if the terminal was just painted', () => {
  const inUse = new SelectionWatch();
  expect(inUse.mayHaveMoved(at(1, 0, 100), 101_900)).toBe(true);
  expect(inUse.mayHaveMoved(at(1, 0, 100), 102_000)).toBe(false);
  expect(inUse.mayHaveMoved(at(0, 0, 100), 100_100)).toBe(false);
});

test('a selection where dialogs begin may have moved back, if the terminal was painted long after the request', () => {
  const inUse = new SelectionWatch();
  expect(inUse.mayHaveMovedBack(at(0, 0, 100), 90_000, 100_900)).toBe(true);
  expect(inUse.mayHaveMovedBack(at(0, 0, 100), 98_000, 100_900)).toBe(false);
  expect(inUse.mayHaveMovedBack(at(0, 0, 100), 90_000, 102_900)).toBe(false);
});
