import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../limits.ts';
import { tempHome } from '../../testing/home.ts';
import { openCommandKeys } from './command-keys.ts';

const file = () => join(tempHome().home, 'commands.db');

const opened = async (path: string, now: () => number) => {
  const keys = await openCommandKeys(path, now, () => {});
  onTestFinished(() => keys.close());
  return keys;
};

test('a key is known after a restart, with its answer', async () => {
  const path = file();
  const first = await openCommandKeys(
    path,
    () => 1_000,
    () => {},
  );
  expect(first.take('host', 'key', 21_000)).toBeNull();
  first.answered('host', 'key', { status: 200, json: { ok: 1 } });
  first.close();
  const second = await opened(path, () => 2_000);
  expect(second.take('host', 'key', 21_000)).toEqual({ answer: { status: 200, json: { ok: 1 } } });
  expect(second.take('other', 'key', 21_000)).toBeNull();
});

test('a command is not executed again after the clock was set back by hours', async () => {
  const start = 1_700_000_000_000;
  let now = start;
  const keys = await opened(file(), () => now);
  expect(keys.take('host', 'key', start + 20_000)).toBeNull();
  keys.answered('host', 'key', { status: 200, json: {} });
  now = start + 12 * 3_600_000;
  expect(keys.take('host', 'later', now + 20_000)).toBeNull();
  now = start;
  expect(keys.take('host', 'key', start + 20_000)).toEqual({ answer: null });
});

test('keys are removed after a day', async () => {
  const start = 1_700_000_000_000;
  let now = start;
  const keys = await opened(file(), () => now);
  keys.take('host', 'key', start);
  now = start + limits.fleet.commandKeys + 1_000;
  keys.take('host', 'later', now);
  expect(keys.take('host', 'key', start)).toBeNull();
});

test('a later command with the same idempotency key is executed again, and the first one still is not', async () => {
  const start = 1_700_000_000_000;
  let now = start;
  const keys = await opened(file(), () => now);
  expect(keys.take('host', 'key', start + 20_000)).toBeNull();
  keys.answered('host', 'key', { status: 200, json: { ok: 1 } });
  now = start + 15_000;
  const second = now + 20_000;
  expect(keys.take('host', 'key', second)).toEqual({ answer: { status: 200, json: { ok: 1 } } });
  now = second;
  expect(keys.take('host', 'key', second)).toEqual({ answer: { status: 200, json: { ok: 1 } } });
  now = start + 2 * 60_000;
  expect(keys.take('host', 'key', now + 20_000)).toBeNull();
  expect(keys.take('host', 'key', now + 20_000)).toEqual({ answer: null });
  now = start;
  expect(keys.take('host', 'key', start + 20_000)).toEqual({ answer: null });
});
