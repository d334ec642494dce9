import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retry } from './retry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work is repeated until it succeeds, and its third failure is reported', async () => {
  const reported: unknown[] = [];
  let runs = 0;
  const done = retry(
    () => (++runs < 5 ? Promise.reject(new Error(`failure ${runs}`)) : Promise.resolve()),
    () => true,
    error => reported.push(String(error)),
  );
  await vi.runAllTimersAsync();
  await done;
  expect({ runs, reported }).toEqual({ runs: 5, reported: ['Error: failure 3'] });
});

test('work that is not wanted any more is neither repeated nor reported', async () => {
  const reported: unknown[] = [];
  let runs = 0;
  const done = retry(
    () => {
      runs++;
      return Promise.reject(new Error('no'));
    },
    () => runs < 3,
    error => reported.push(error),
  );
  await vi.runAllTimersAsync();
  await done;
  expect({ runs, reported }).toEqual({ runs: 3, reported: [] });
});
