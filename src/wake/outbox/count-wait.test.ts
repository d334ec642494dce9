import { expect, test } from 'vitest';
import type { Event } from '../../contract/event.ts';
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { aSession } from '../../testing/session.ts';
import { aWake } from '../../testing/wake.ts';
import { CountWait } from './count-wait.ts';

const wait = limits.wake.countWait;
const session = aSession({ id: 's', transcript: '/t.jsonl' });
const wake = (more: Partial<Wake> = {}) =>
  aWake({ sessionId: 's', trigger: 'response_complete', seq: 10, at: 1_000, ...more });
const count = (seq: number) => ({ source: 'transcript', name: 'Usage', sessionId: 's', seq }) as Event;
const of = () => session;

test('the wake of a finished turn waits for the count of this turn, but not longer than its limit', () => {
  const waits = new CountWait();
  expect(waits.delay([wake()], of, 1_000)).toBe(wait);
  expect(waits.delay([wake()], of, 1_000 + wait)).toBe(0);
  // A count from before the Stop is that of the turn before.
  expect(waits.onEvent(count(9))).toBe(true);
  expect(waits.delay([wake()], of, 1_100)).toBe(wait - 100);
  expect(waits.onEvent(count(11))).toBe(true);
  expect(waits.delay([wake()], of, 1_100)).toBe(0);
});

test('no other wake waits, and no wake for a session whose tokens nobody counts', () => {
  const waits = new CountWait();
  expect(waits.delay([wake({ trigger: 'permission_prompt' })], of, 1_000)).toBe(0);
  expect(waits.delay([wake({ tries: 1 })], of, 1_000)).toBe(0);
  expect(waits.delay([wake()], () => aSession({ id: 's' }), 1_000)).toBe(0);
  expect(waits.delay([wake()], () => undefined, 1_000)).toBe(0);
  expect(waits.onEvent({ ...count(11), name: 'Answered' })).toBe(false);
});

test('a clock that was set back does not hold a wake back longer', () => {
  expect(new CountWait().delay([wake({ at: 9_000_000 })], of, 1_000)).toBe(wait);
});
