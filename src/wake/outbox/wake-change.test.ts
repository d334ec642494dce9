import { expect, test } from 'vitest';
import type { Wake } from '../../contract/wake.ts';
import { freshWake } from './fresh-wake.ts';
import { changeWake, isOpen, type WakeChange } from './wake-change.ts';

const fresh = freshWake({
  agent: 'a',
  sessionId: 's',
  trigger: 'response_complete',
  key: '1',
  seq: 1,
  at: 1,
  continuation: false,
});

const after = (...changes: WakeChange[]): Wake => changes.reduce(changeWake, fresh);
const begun = { kind: 'begun', bundle: 'b', together: 2 } as const;

test('a change leaves the wake before it as it was', () => {
  const before = structuredClone(fresh);
  expect(after({ kind: 'written', source: 'transcript' }, begun)).toMatchObject({
    status: 'sending',
    source: 'transcript',
    bundle: 'b',
    together: 2,
    tries: 1,
  });
  expect(fresh).toEqual(before);
});

test('a delivery that never started is no attempt, a failed one is', () => {
  expect(after(begun, { kind: 'undone' })).toMatchObject({ status: 'pending', tries: 0 });
  const failed = { kind: 'failed', due: 9, took: 3, reason: 'refused' } as const;
  expect(after(begun, failed)).toMatchObject({
    status: 'pending',
    tries: 1,
    due: 9,
    duration: 3,
    reason: 'refused',
    doneAt: null,
  });
  expect(after(begun, failed, begun).tries).toBe(2);
});

test.each<WakeChange>([
  { kind: 'delivered', at: 5, took: 4, reason: null },
  { kind: 'dead', at: 5, took: 4, reason: 'refused' },
  { kind: 'dropped', at: 5, reason: 'outdated' },
])('a wake that is $kind does not change any more', change => {
  const finished = after(begun, change);
  expect(finished).toMatchObject({ status: change.kind, doneAt: 5 });
  expect(isOpen(finished)).toBe(false);
  expect(changeWake(finished, begun)).toBe(finished);
  expect(changeWake(finished, { kind: 'dropped', at: 6, reason: 'again' })).toBe(finished);
});
