import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../limits.ts';
import { pathsAt } from '../paths.ts';
import { takeStartLock } from './start-lock.ts';

const setUp = () => {
  const root = mkdtempSync(join(tmpdir(), 'dr-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return pathsAt(join(root, 'home'));
};

const sleeper = async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  onTestFinished(() => void child.kill());
  return child;
};

test('only one of many gets the lock, and the next one after its release', async () => {
  const paths = setUp();
  const locks = await Promise.all(Array.from({ length: 10 }, () => takeStartLock(paths, 'a')));
  const taken = locks.filter(lock => lock !== null);
  expect(taken).toHaveLength(1);
  expect(await takeStartLock(paths, 'b')).not.toBeNull();
  taken[0]?.release();
  expect(await takeStartLock(paths, 'a')).not.toBeNull();
});

test('a lock that was handed over is valid while its process is alive, and stale locks are removed', async () => {
  const paths = setUp();
  const child = await sleeper();
  (await takeStartLock(paths, 'a'))?.handOver(child.pid as number);
  expect(await takeStartLock(paths, 'a')).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await takeStartLock(paths, 'b')).not.toBeNull();
  expect(existsSync(join(paths.resuming, 'a.json'))).toBe(false);
  expect(readdirSync(paths.resuming).sort()).toEqual(['b.json', 'lock']);
});

test('the shell that is left in a pane when the CLI has ended holds no lock', async () => {
  const paths = setUp();
  const child = await sleeper();
  const before = { now: () => Date.now() - limits.resume.cliStartTimeout - 1 };
  (await takeStartLock(paths, 'a', before))?.handOver(child.pid as number);
  expect(await takeStartLock(paths, 'a', before)).toBeNull();
  expect(await takeStartLock(paths, 'a')).not.toBeNull();
});
