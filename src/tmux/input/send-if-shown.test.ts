/** Keys reach a real pane only while it shows exactly the rows that they are meant for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Pane } from '../../contract/session.ts';
import { openTestPane } from '../../testing/pane.ts';
import { type PaneScreen, readPaneScreen } from '../server/pane-screen.ts';
import { tmux } from '../server/run.ts';
import { sendIfShown } from './send-if-shown.ts';

const rows = [
  '────────────────',
  ' Bash command · from the “odd” agent',
  '   echo "$A" | tr [a-z] {x,y} # 100% ^ \\ (b)* +? `c` ~ ; \'q\'',
  '   ${f##*/} #[derive] #{x} ##[[ sed "s#.*#x#" #(y) #,z #}',
  ' ❯ 1. Yes',
  '   2. No, not now',
  ' end',
];

const opened = async () => {
  const { folder, socket, pane } = await openTestPane(dir => {
    writeFileSync(join(dir, 'screen'), rows.join('\r\n'));
    return `cd ${dir}; stty raw -echo; clear; cat screen; exec cat -u > received\n`;
  }, ' end');
  const known: Pane = {
    socket,
    id: pane,
    serverPid: null,
    pid: null,
    session: null,
    window: null,
    windowIndex: null,
  };
  return {
    folder,
    known,
    shown: (await readPaneScreen(known)) as PaneScreen,
    received: () => readFileSync(join(folder, 'received'), 'utf8'),
    run: (...args: string[]) => tmux(socket, args),
  };
};

test('a key is sent while every row is on the screen, and not after one of them has changed', async () => {
  const { known, shown, received, run } = await opened();
  expect(shown.rows.slice(0, rows.length)).toEqual(rows);
  expect(await sendIfShown(known, shown, shown.rows, { text: '1' })).toBe(true);
  expect(await sendIfShown(known, shown, shown.rows, { key: 'Enter' })).toBe(true);
  await expect.poll(received).toBe('1\r');
  for (const [n, row] of rows.entries()) {
    const other = shown.rows.with(n, `${row.slice(0, -1)}X`);
    expect(await sendIfShown(known, shown, other, { text: '2' })).toBe(false);
  }
  expect(await sendIfShown(known, shown, [...shown.rows, 'one more'], { text: '2' })).toBe(false);
  // The same rows in another order.
  const swapped = { ...shown, rows: [...shown.rows.slice(2, 4), ...shown.rows.slice(0, 2)] };
  expect(await sendIfShown(known, swapped, swapped.rows, { text: '2' })).toBe(false);
  expect(await sendIfShown(known, { ...shown, panePid: 1 }, shown.rows, { text: '2' })).toBe(false);
  expect(await sendIfShown(known, { ...shown, serverPid: 1 }, shown.rows, { text: '2' })).toBe(false);
  expect(received()).toBe('1\r');
  expect((await run('list-buffers')).stdout).toBe('');
});

test('in copy mode the program gets the keys, and tmux does not', async () => {
  const { known, shown, received, run } = await opened();
  await run('copy-mode', '-t', known.id);
  // What was read before somebody opened the mode does not count any more.
  expect(await sendIfShown(known, shown, shown.rows, { text: '3' })).toBe(false);
  const inMode = (await readPaneScreen(known)) as PaneScreen;
  expect([inMode.inMode, inMode.rows]).toEqual([true, shown.rows]);
  for (const input of [{ text: '1;' }, { key: 'Down' as const }, { key: 'Enter' as const }])
    expect(await sendIfShown(known, inMode, inMode.rows, input)).toBe(true);
  await expect.poll(received).toBe('1;\x1b[B\r');
  expect((await run('display-message', '-p', '-t', known.id, '#{pane_in_mode}')).stdout.trim()).toBe('1');
  expect((await run('list-buffers')).stdout).toBe('');
});

test('a pane whose process or server is another one is not read', async () => {
  const { known, shown } = await opened();
  expect(await readPaneScreen({ ...known, serverPid: shown.serverPid, pid: shown.panePid })).not.toBeNull();
  expect(await readPaneScreen({ ...known, pid: 1 })).toBeNull();
  expect(await readPaneScreen({ ...known, serverPid: 1 })).toBeNull();
  expect(await readPaneScreen({ ...known, id: '%99' })).toBeNull();
});

test.each([
  ['a key is typed', false],
  ['a key is pasted in copy mode', true],
])('with synchronize-panes, %s into its own pane only', async (_, isInMode) => {
  const { known, received, run, folder } = await opened();
  await run('split-window', '-t', known.id, '-c', folder, 'stty raw -echo; echo ready; exec cat -u > beside');
  await expect.poll(async () => (await run('capture-pane', '-p', '-t', '%1')).stdout).toContain('ready');
  await run('set-option', '-w', '-t', known.id, 'synchronize-panes', 'on');
  if (isInMode) await run('copy-mode', '-t', known.id);
  const shown = (await readPaneScreen(known)) as PaneScreen;
  const inputs = [{ text: '1' }, { key: 'Escape' as const }, { key: 'Down' as const }, { paste: 'words;' }];
  for (const input of inputs) expect(await sendIfShown(known, shown, shown.rows, input)).toBe(true);
  await expect.poll(received).toBe('1\x1b\x1b[Bwords;');
  expect(readFileSync(join(folder, 'beside'), 'utf8')).toBe('');
  expect((await run('list-buffers')).stdout).toBe('');
});
