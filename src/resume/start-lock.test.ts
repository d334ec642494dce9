import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathsAt } from '../paths.ts';
import { claim } from './start-lock.ts';

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

test('of many at once one has it; released, the next one has it', async () => {
  const paths = setUp();
  const claims = await Promise.all(Array.from({ length: 10 }, () => claim(paths, 'a')));
  const held = claims.filter(one => one !== null);
  expect(held).toHaveLength(1);
  expect(await claim(paths, 'b')).not.toBeNull();
  held[0]?.release();
  expect(await claim(paths, 'a')).not.toBeNull();
});

test('handed over it counts while that process lives; what the dead leave behind is tidied up', async () => {
  const paths = setUp();
  const child = await sleeper();
  (await claim(paths, 'a'))?.handOver(child.pid as number);
  expect(await claim(paths, 'a')).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await claim(paths, 'b')).not.toBeNull();
  expect(existsSync(join(paths.resuming, 'a.json'))).toBe(false);
  expect(readdirSync(paths.resuming).sort()).toEqual(['b.json', 'lock']);
});
