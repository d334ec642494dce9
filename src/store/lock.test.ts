import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { takeLock } from './lock.ts';

test('only one has the lock, and the next gets it after a release', async () => {
  const { lock } = tempHome();
  const first = await takeLock(lock);
  expect(await takeLock(lock)).toBeNull();
  first?.release();
  const second = await takeLock(lock);
  expect(second).not.toBeNull();
  second?.release();
});

test('a lock file that is no database is replaced', async () => {
  const { lock } = tempHome();
  writeFileSync(lock, 'x'.repeat(2_000));
  const taken = await takeLock(lock);
  expect(taken).not.toBeNull();
  expect(await takeLock(lock)).toBeNull();
  taken?.release();
});

test('a folder that is missing is not taken for a lock that another has', async () => {
  await expect(takeLock(join(tempHome().home, 'missing', 'lock'))).rejects.toThrow(/unable to open/);
});
