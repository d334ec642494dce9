import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tmux } from './run.ts';
import { findStarted, startSession, TmuxSessionExists } from './session.ts';

const setUp = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dr-')));
  const socket = join(root, 's');
  onTestFinished(async () => {
    await tmux(socket, ['kill-server']);
    rmSync(root, { recursive: true });
  });
  const script = join(root, "it's 1", 'start.sh');
  const start = (name: string) =>
    startSession({ socket, name, cwd: root, script, env: { PATH: process.env.PATH, HOME: root } });
  return { root, socket, script, start };
};

test('starts although the server is just exiting with its last session', async () => {
  const { socket, start } = setUp();
  for (let round = 0; round < 20; round++) {
    const { pane } = await start('one');
    expect(pane).toMatch(/^%\d+$/);
    await tmux(socket, ['kill-session', '-t', '=one']);
  }
});

test('finds a started pane by its script, even after a rename', async () => {
  const { root, socket, script, start } = setUp();
  expect(await findStarted(socket, '/start.sh')).toBeNull();
  writeFileSync(join(root, 'other.sh'), 'sleep 60\n');
  await tmux(socket, ['new-session', '-d', '-s', 'other', 'sh', join(root, 'other.sh')]);
  const started = await start('one');
  await tmux(socket, ['rename-session', '-t', '=one', 'mine']);
  expect(await findStarted(socket, script.slice(-'1/start.sh'.length))).toEqual(started);
  expect(await findStarted(socket, '2/start.sh')).toBeNull();
});

test('tells a name that is taken from any other failure', async () => {
  const { root, script, start } = setUp();
  await start('one');
  await expect(start('one')).rejects.toThrow(TmuxSessionExists);
  const elsewhere = startSession({
    socket: join(root, 'none', 's'),
    name: 'one',
    cwd: root,
    script,
    env: { PATH: process.env.PATH, HOME: root },
  });
  await expect(elsewhere).rejects.not.toThrow(TmuxSessionExists);
});
