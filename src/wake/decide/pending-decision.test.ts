import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../clock.ts';
import { tempHome } from '../../testing/home.ts';
import { PendingDecision } from './pending-decision.ts';

const decision = (transcript: string | null = null, ms = 60_000, clock: Clock = systemClock) =>
  new PendingDecision('s', 'Stop', 7, Date.now(), transcript, ms, clock);
const stays = () => {};

test('the first answer that decides is printed, by one hook of two', async () => {
  const one = decision();
  one.addAgent();
  const [first, twin] = [one.wait(stays), one.wait(stays)];
  expect(await one.decide('out', 1_000)).toBe(true);
  expect(await Promise.all([first, twin])).toEqual(['out', null]);
  expect(await one.decide('late', 1_000)).toBe(false);
  expect(one.endedBy).toBe('answer');
});

test('an agent may answer before the hook connects; without a hook the answer is not taken', async () => {
  const one = decision();
  const decided = one.decide('out', 5_000);
  expect(await one.wait(stays)).toBe('out');
  expect(await decided).toBe(true);
  expect(await decision().decide('out', 10)).toBe(false);
});

test('it ends when every agent has abstained, and not before', async () => {
  const one = decision();
  one.addAgent();
  one.addAgent();
  const output = one.wait(stays);
  one.abstain();
  expect(one.endedBy).toBeNull();
  one.abstain();
  expect([await output, one.endedBy]).toEqual([null, 'nothing']);
  expect(await one.wait(stays)).toBeNull();
});

test('its deadline ends it, and so does a hook that is gone', async () => {
  const timers: { ms: number; fire: () => void }[] = [];
  const schedule = (ms: number, fire: () => void) => {
    timers.push({ ms, fire });
    return () => {};
  };
  const late = decision(null, 30_000, { now: () => 0, schedule });
  const printed = late.wait(stays);
  expect([timers[0]?.ms, late.endedBy]).toEqual([30_000, null]);
  timers[0]?.fire();
  expect([await printed, late.endedBy]).toEqual([null, 'deadline']);
  const left = decision();
  let leave = () => {};
  const output = left.wait(gone => {
    leave = gone;
  });
  leave();
  expect([await output, left.endedBy]).toEqual([null, 'gone']);
});

test('a prompt that somebody sends meanwhile wins', async () => {
  const transcript = join(tempHome().home, 'transcript.jsonl');
  writeFileSync(transcript, '');
  const one = decision(transcript);
  const output = one.wait(stays);
  const line = { type: 'queue-operation', operation: 'enqueue', content: 'mine' };
  appendFileSync(
    transcript,
    `${JSON.stringify({ ...line, timestamp: new Date(Date.now() + 1).toISOString() })}\n`,
  );
  expect([await output, one.endedBy]).toEqual([null, 'terminal']);
});
