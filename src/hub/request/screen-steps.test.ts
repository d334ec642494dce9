/** A permission dialog on a scripted screen, answered by its digit. */
import { expect, test } from 'vitest';
import { dialogOf } from '../../claude/screen/dialog.ts';
import { emptyMemory, type Folded } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import type { PaneScreen } from '../../tmux/server/pane-screen.ts';
import type { ScreenTask } from './screen-task.ts';
import { performChoice } from './screen-steps.ts';
import type { Seen, TerminalScreen } from './terminal-screen.ts';

const dialog = [
  '─'.repeat(40),
  ' Bash command',
  '',
  '   touch a',
  '   Make it',
  '',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
];
const blank = ['● Bash(touch a)'];

/** The screens that are read, in order; the last one repeats. `closes`: number of keys after which the request is closed. */
const taskOn = (screens: string[][], closes: number, isAlone = true) => {
  const pressed: Input[] = [];
  const left = [...screens];
  const see = (): Promise<Seen> => {
    const rows = (left.length > 1 ? left.shift() : left[0]) as string[];
    return Promise.resolve({
      pane: { rows, width: 40 } as PaneScreen,
      dialog: dialogOf(rows, 40),
      at: performance.now(),
    });
  };
  const screen = {
    see,
    press: (_: Seen, input: Input) => Promise.resolve(pressed.push(input) > 0),
    until: async (fits: (seen: Seen) => boolean) => {
      for (let n = 0; n < 3; n++) {
        const seen = await see();
        if (fits(seen)) return seen;
      }
      return null;
    },
  } as unknown as TerminalScreen;
  let ignored = 0;
  const task: ScreenTask = {
    session: { ...aSession({}), memory: emptyMemory(0) } as Folded,
    asked: {
      id: 7,
      kind: 'permission',
      tool: 'Bash',
      agent: null,
      line: 'Bash: touch a',
      at: 0,
      until: null,
      isFromScreen: false,
      payload: {
        tool_name: 'Bash',
        tool_input: { command: 'touch a', description: 'Make it' },
      },
    },
    screen,
    readStable: see,
    assertOpen: () => Promise.resolve(),
    isClosed: () => pressed.length >= closes,
    keyEffect: 0,
    onIgnored: () => void ignored++,
    onPressed: () => {},
    isAlone: () => isAlone,
    onProgress: () => {},
  };
  return { task, pressed, ignored: () => ignored };
};

const deny = { choice: { choice: 'deny', label: 'Deny', effect: 'deny' as const }, index: 1, label: 'No' };

test('the digit of the option is pressed once, and the dialog is gone', async () => {
  const { task, pressed } = taskOn([dialog, blank], 1);
  await performChoice(task, deny, {});
  expect(pressed).toEqual([{ text: '2' }]);
});

test('a dialog that is only being painted again is not answered: the key is pressed again', async () => {
  const { task, pressed, ignored } = taskOn(
    [dialog, blank, dialog, dialog, dialog, dialog, dialog, blank],
    2,
  );
  await performChoice(task, deny, {});
  expect([pressed, ignored()]).toEqual([[{ text: '2' }, { text: '2' }], 1]);
});

test('a dialog that stays gone was answered, also where nothing says so', async () => {
  const { task, pressed } = taskOn([dialog, blank], 9);
  await performChoice(task, deny, {});
  expect(pressed).toHaveLength(1);
});

test('a dialog that ignores every key is reported', async () => {
  const { task, pressed } = taskOn([dialog], 99);
  await expect(performChoice(task, deny, {})).rejects.toThrow('The dialog is still open');
  expect(new Set(pressed.map(input => JSON.stringify(input)))).toEqual(new Set(['{"text":"2"}']));
});

test('while another request is open, a key that had no effect is not pressed again', async () => {
  const { task, pressed } = taskOn([dialog], 99, false);
  await expect(performChoice(task, deny, {})).rejects.toThrow('The dialog is still open');
  expect(pressed).toEqual([{ text: '2' }]);
});

test('a key that a busy machine takes late has answered, though the next read finds no dialog', async () => {
  const { task, pressed } = taskOn([dialog, dialog, dialog, blank], 9);
  let stableReads = 0;
  const readStable = () => (stableReads++ === 0 ? task.readStable() : Promise.reject(new Error('no dialog')));
  await performChoice({ ...task, readStable }, deny, {});
  expect(pressed).toEqual([{ text: '2' }]);
  const other = taskOn([dialog], 99);
  let reads = 0;
  const changed = () =>
    reads++ === 0 ? other.task.readStable() : Promise.reject(new Error('another dialog'));
  await expect(performChoice({ ...other.task, readStable: changed }, deny, {})).rejects.toThrow(
    'another dialog',
  );
});

test('nothing is pressed if the option has changed', async () => {
  const { task, pressed } = taskOn([dialog.with(8, '   2. No, and tell me why')], 1);
  await expect(performChoice(task, { ...deny, label: 'No' }, {})).rejects.toThrow('The screen changed');
  await expect(performChoice(task, deny, { updated_input: {} })).rejects.toThrow(
    'The input can only be changed',
  );
  expect(pressed).toEqual([]);
});
