import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';
import { Lineages } from './lineages.ts';
import { PaneCommands } from './pane-commands.ts';

const pane = (command: string, id = '%1') =>
  ({ socket: 's', serverPid: 1, id, pid: 10, command }) as TmuxPane;

test('a pane is read while its command is new, and then now and then', () => {
  const commands = new PaneCommands();
  expect(commands.mayHaveChanged(pane('zsh'), 0)).toBe(true);
  expect(commands.mayHaveChanged(pane('zsh'), limits.watch.youngProcess)).toBe(true);
  let at = limits.watch.youngProcess + 1;
  expect(commands.mayHaveChanged(pane('zsh'), at)).toBe(false);
  expect(commands.mayHaveChanged(pane('zsh', '%2'), at)).toBe(true);
  expect(commands.mayHaveChanged(pane('claude'), at)).toBe(true);
  at += limits.watch.youngProcess + 1;
  expect(commands.mayHaveChanged(pane('claude'), at)).toBe(false);
  at += limits.panes.quietScan;
  expect(commands.mayHaveChanged(pane('claude'), at)).toBe(true);
  expect(commands.mayHaveChanged(pane('claude'), at + 1)).toBe(false);
});

test('the ancestors of a session are read once, and again for another process', () => {
  const read: number[] = [];
  const lineages = new Lineages(pid => (read.push(pid), pid === 9 ? [] : [pid, 1]));
  for (const pid of [5, 5, 6, 6, 9, 9]) lineages.of('a', pid);
  expect(read).toEqual([5, 6, 9, 9]);
  lineages.keepOnly([]);
  lineages.of('a', 6);
  expect(read).toEqual([5, 6, 9, 9, 6]);
});
