/** Sends keys and pastes to real panes: they reach the CLI that they are meant for unchanged, or nothing at all. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { hasExactArgs, processStart } from '../../platform/processes.ts';
import { openTestPane, targetIn, type TestPane } from '../../testing/pane.ts';
import { Control } from '../server/control.ts';
import { readerFormat, checkReader } from './pane-reader.ts';
import { captureScreen } from '../server/panes.ts';
import { endServer, startPrivateServer } from '../server/private-server.ts';
import { tmux } from '../server/run.ts';
import { pasteText, sendKeys, type Target } from './send.ts';
import { press, pressText } from '../../driver/input/prompt-input.ts';

const refused = { code: 'refused', message: expect.stringMatching(/^Nothing was typed into pane %0: .+\.$/) };

/** Types as a person does, without any check. */
const byHand = (socket: string, ...keys: string[]) => tmux(socket, ['send-keys', '-t', '%0', ...keys]);

/** An interactive shell in a pane that has started a program called `claude`, which records its input. */
const inShell = async (): Promise<
  TestPane & { target: Target; received: () => string; ran: () => boolean }
> => {
  const pane = await openTestPane(folder => {
    symlinkSync(
      execFileSync('sh', ['-c', 'command -v cat'], { encoding: 'utf8' }).trim(),
      join(folder, 'claude'),
    );
    return `PS1='shell> ' exec bash --norc --noprofile -i\n`;
  }, 'shell>');
  await byHand(pane.socket, './claude >received', 'Enter');
  await vi.waitFor(() => expect(existsSync(join(pane.folder, 'received'))).toBe(true), 5_000);
  const target = await vi.waitFor(async () => {
    const found = await targetIn(pane);
    expect(checkReader(found.reader, found.serverPid).ok).toBe(true);
    return found;
  }, 5_000);
  return {
    ...pane,
    target,
    received: () => readFileSync(join(pane.folder, 'received'), 'utf8'),
    ran: () => existsSync(join(pane.folder, 'ran')),
  };
};

/** Tries every kind of input and expects that the shell runs none of it. */
const expectRefused = async (target: Target, ran: () => boolean): Promise<void> => {
  await expect(pasteText(target, 'touch ran\n')).rejects.toMatchObject(refused);
  await expect(pressText(target, 'touch ran')).rejects.toMatchObject(refused);
  await expect(press(target, 'Enter')).rejects.toMatchObject(refused);
  await expect(sendKeys(target, ['C-u'])).rejects.toMatchObject(refused);
  expect(ran()).toBe(false);
  expect((await tmux(target.socket, ['list-buffers'])).stdout).toBe('');
};

test('a CLI that was started from a shell in the pane receives input', async () => {
  const { target, received } = await inShell();
  await pasteText(target, 'hello');
  expect(await press(target, 'Enter')).toBe(true);
  await expect.poll(received).toBe('hello\n');
});

test('text that ends in a semicolon, and the key itself, arrive unchanged', async () => {
  const { target, received, socket } = await inShell();
  const control = new Control(socket, target.pane);
  let expected = '';
  for (const over of [target, { ...target, control }]) {
    await pasteText(over, 'paste;');
    await pressText(over, ' text;');
    await pressText(over, ';');
    await press(over, ';');
    await pressText(over, ' #{pane_id} $(x) "é" \\; {');
    await press(over, 'Enter');
    expected += 'paste; text;;; #{pane_id} $(x) "é" \\; {\n';
    await expect.poll(received).toBe(expected);
  }
  await endServer(socket);
  await control.close();
});

test('when the CLI has exited, its shell receives nothing', async () => {
  const { target, ran, socket } = await inShell();
  await byHand(socket, 'C-d');
  await vi.waitFor(() => expect(checkReader(target.reader, target.serverPid).ok).toBe(false), 5_000);
  await expectRefused(target, ran);
});

test('while the CLI is suspended the shell receives nothing; after `fg` the CLI receives input again', async () => {
  const { target, ran, received, socket } = await inShell();
  await byHand(socket, 'C-z');
  await vi.waitFor(
    () => expect(checkReader(target.reader, target.serverPid)).toMatchObject({ ok: false }),
    5_000,
  );
  expect(checkReader(target.reader, target.serverPid)).toEqual({
    ok: false,
    why: 'bash is in the foreground',
  });
  await expectRefused(target, ran);
  await byHand(socket, 'fg', 'Enter');
  await vi.waitFor(() => expect(checkReader(target.reader, target.serverPid).ok).toBe(true), 5_000);
  await pasteText(target, 'back\n');
  await expect.poll(received).toBe('back\n');
});

test('a pane with the same id on a restarted server receives nothing', async () => {
  const { target, folder, socket, ran } = await inShell();
  await endServer(socket);
  await vi.waitFor(() => expect(processStart(target.serverPid ?? 0)).toBeNull(), 5_000);
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  await startPrivateServer({ socket, script: join(folder, 'pane.sh'), cwd: folder, env });
  await expect.poll(() => captureScreen(socket, '%0')).toContain('shell>');
  await expectRefused(target, ran);
});

test('a respawned pane receives nothing while the CLI still runs elsewhere', async () => {
  const { target, socket, ran, folder } = await inShell();
  const other = await openTestPane(() => 'exec cat\n');
  const stranger = await targetIn(other);
  await tmux(socket, ['respawn-pane', '-k', '-t', '%0', 'sh', join(folder, 'pane.sh')]);
  await expect.poll(() => captureScreen(socket, '%0')).toContain('shell>');
  // A process that is alive and reads another terminal.
  await expectRefused({ ...target, reader: stranger.reader }, ran);
});

test('tmux itself compares server, pane process and foreground command at the moment of the key', async () => {
  const { target, socket } = await inShell();
  const reads = checkReader(target.reader, target.serverPid);
  if (!reads.ok) throw new Error(reads.why);
  expect([reads.command, reads.isNoShell]).toEqual(hasExactArgs ? ['./claude', undefined] : [null, true]);
  const isTrue = async (format: string) =>
    (await tmux(socket, ['display-message', '-p', '-t', '%0', format])).stdout.trim() === '1';
  const { serverPid } = target;
  expect(await isTrue(readerFormat(reads, serverPid))).toBe(true);
  expect(await isTrue(readerFormat(reads, null))).toBe(true);
  expect(await isTrue(readerFormat(reads, 1))).toBe(false);
  expect(await isTrue(readerFormat({ ...reads, command: 'bash' }, serverPid))).toBe(false);
  expect(await isTrue(readerFormat({ ...reads, panePids: [1] }, serverPid))).toBe(false);
  const noShell = readerFormat({ ...reads, command: null, isNoShell: true }, serverPid);
  expect(await isTrue(noShell)).toBe(true);
  await byHand(socket, 'C-c');
  await vi.waitFor(async () => expect(await isTrue(noShell)).toBe(false), 5_000);
});

test('with synchronize-panes, keys reach the pane of the CLI only, or are refused', async () => {
  const { target, received, socket, folder } = await inShell();
  await tmux(socket, ['split-window', '-t', '%0', '-c', folder, 'echo ready; exec cat -u > beside']);
  await expect.poll(() => captureScreen(socket, '%1')).toContain('ready');
  await tmux(socket, ['set-option', '-w', '-t', '%0', 'synchronize-panes', 'on']);
  await pressText(target, 'one; #{x}');
  expect(await press(target, 'Enter')).toBe(true);
  await expect.poll(received).toBe('one; #{x}\n');
  await expect(press(target, 'F1')).rejects.toMatchObject({
    message: expect.stringContaining('synchronize-panes'),
  });
  const control = new Control(socket, target.pane);
  await press({ ...target, control }, 'x');
  await press({ ...target, control }, 'Enter');
  await expect.poll(received).toBe('one; #{x}\nx\n');
  expect(readFileSync(join(folder, 'beside'), 'utf8')).toBe('');
  await endServer(socket);
  await control.close();
});
