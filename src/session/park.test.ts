import { expect, test } from 'vitest';
import { hook, runScript, type ScriptEvent } from '../testing/fold-script.ts';

const own = (at: number, name: string): ScriptEvent => ({ at, source: 'drover', name });
const idle = [
  hook(1_000, 'SessionStart', { source: 'startup' }),
  hook(2_000, 'UserPromptSubmit'),
  hook(3_000, 'Stop', { last_assistant_message: 'done' }),
];
const end = (at: number, reason = 'other') => hook(at, 'SessionEnd', { reason });
const after = (...script: ScriptEvent[]) => {
  const { state, reason, parked } = runScript([...idle, ...script], 200_000).session;
  return [state, reason, parked];
};

test('an end that Drover caused to free memory is a parked session', () => {
  expect(after(own(100_000, 'Parking'), end(100_500))).toEqual(['ended', 'exit', true]);
  expect(after(end(100_500))).toEqual(['ended', 'exit', false]);
});

test('an end without SessionEnd is a parked session too', () => {
  expect(after(own(100_000, 'Parking'), own(100_500, 'Stopped'))).toEqual(['ended', 'killed', true]);
});

test('a later end, a failed attempt and a /clear are not a parked session', () => {
  expect(after(own(50_000, 'Parking'), end(150_000))).toEqual(['ended', 'exit', false]);
  expect(after(own(100_000, 'Parking'), own(100_100, 'NotParked'), end(100_500))).toEqual([
    'ended',
    'exit',
    false,
  ]);
  expect(after(own(100_000, 'Parking'), end(100_500, 'clear'))).toEqual(['ended', 'clear', false]);
});

test('a start ends it, and the next end is an ordinary one', () => {
  const resumed = hook(110_000, 'SessionStart', { source: 'resume' });
  expect(after(own(100_000, 'Parking'), end(100_500), resumed)).toEqual(['ready', null, false]);
  expect(after(own(100_000, 'Parking'), end(100_500), resumed, end(111_000))).toEqual([
    'ended',
    'exit',
    false,
  ]);
});

test('a session that could not be started again is still parked', () => {
  const launching: ScriptEvent = {
    at: 110_000,
    source: 'drover',
    name: 'Launching',
    fields: { socket: '/s', tmux: 'work', again: true },
  };
  const parked = [own(100_000, 'Parking'), end(100_500), launching];
  expect(after(...parked)).toEqual(['ready', null, false]);
  expect(after(...parked, own(110_500, 'LaunchFailed'))).toEqual(['ended', 'lost', true]);
});
