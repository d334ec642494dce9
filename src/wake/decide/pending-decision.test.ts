import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../clock.ts';
import { tempHome } from '../../testing/home.ts';
import { waitingHook } from '../../testing/waiting-hook.ts';
import { PendingDecision } from './pending-decision.ts';

const decision = (transcript: string | null = null, ms = 60_000, clock: Clock = systemClock) =>
  new PendingDecision('s', 'Stop', 7, Date.now(), transcript, ms, clock);
/** A hook that waits for it. */
const hookOf = (one: PendingDecision) => {
  const hook = waitingHook();
  one.onHook(hook);
  return hook;
};

test('the first answer that decides is printed, by one hook of two', async () => {
  const one = decision();
  one.addAgent();
  const [first, twin] = [hookOf(one), hookOf(one)];
  expect(await one.decide('out')).toBe(true);
  expect([first.printed(), twin.printed()]).toEqual(['out', null]);
  expect(await one.decide('late')).toBe(false);
  expect(one.endedBy).toBe('answer');
});

test('without a hook, or with one that is gone, the answer is not taken', async () => {
  expect(await decision().decide('out')).toBe(false);
  const one = decision();
  const hook = hookOf(one);
  hook.isThere = () => false;
  expect(await one.decide('out')).toBe(false);
  expect(one.endedBy).toBe('gone');
});

test('it ends when every agent has abstained, and not before', async () => {
  const one = decision();
  one.addAgent();
  one.addAgent();
  const hook = hookOf(one);
  one.abstain();
  expect(one.endedBy).toBeNull();
  one.abstain();
  expect([hook.printed(), one.endedBy]).toEqual([null, 'nothing']);
  expect(hookOf(one).printed()).toBeNull();
});

test('its deadline ends it, and so does a hook that is gone', async () => {
  const timers: { ms: number; fire: () => void }[] = [];
  const schedule = (ms: number, fire: () => void) => {
    timers.push({ ms, fire });
    return () => {};
  };
  const late = decision(null, 30_000, { now: () => 0, schedule });
  const hook = hookOf(late);
  expect([timers[0]?.ms, late.endedBy]).toEqual([30_000, null]);
  timers[0]?.fire();
  expect([hook.printed(), late.endedBy]).toEqual([null, 'deadline']);
  const left = decision();
  hookOf(left).leave();
  expect(left.endedBy).toBe('gone');
});

test('a prompt that somebody sends meanwhile wins', async () => {
  const transcript = join(tempHome().home, 'transcript.jsonl');
  writeFileSync(transcript, '');
  const one = decision(transcript);
  const hook = hookOf(one);
  const line = { type: 'queue-operation', operation: 'enqueue', content: 'mine' };
  appendFileSync(
    transcript,
    `${JSON.stringify({ ...line, timestamp: new Date(Date.now() + 1).toISOString() })}\n`,
  );
  await expect.poll(() => [hook.printed(), one.endedBy]).toEqual([null, 'terminal']);
});
