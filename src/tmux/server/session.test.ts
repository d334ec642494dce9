import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tmux } from './run.ts';
import { findStarted, startSession } from './session.ts';

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

test('a server that goes with its last session in the same moment is no reason not to start', async () => {
  const { socket, start } = setUp();
  for (let round = 0; round < 20; round++) {
    const { pane } = await start('one');
    expect(pane).toMatch(/^%\d+$/);
    await tmux(socket, ['kill-session', '-t', '=one']);
  }
});

test('what was started is found by its script, under whatever name it is by now', async () => {
  const { root, socket, script, start } = setUp();
  expect(await findStarted(socket, '/start.sh')).toBeNull();
  writeFileSync(join(root, 'other.sh'), 'sleep 60\n');
  await tmux(socket, ['new-session', '-d', '-s', 'other', 'sh', join(root, 'other.sh')]);
  const started = await start('one');
  await tmux(socket, ['rename-session', '-t', '=one', 'mine']);
  expect(await findStarted(socket, script.slice(-'1/start.sh'.length))).toEqual(started);
  expect(await findStarted(socket, '2/start.sh')).toBeNull();
});
