import { expect, test } from 'vitest';
import { activeOf, newRun, reduceRun, type Run, type RunChange, viewOf } from './command-run.ts';

const run = newRun('r', 's', ['/clear', '/compact now', 'go on']);

const after = (...changes: RunChange[]): Run =>
  changes.reduce<Run>((state, change) => reduceRun(state, change) ?? state, run);

const sent = [
  { kind: 'begun', step: 0 },
  { kind: 'sent', message: 'm' },
] as const;

test('each command awaits its own event', () => {
  expect(run.steps.map(({ awaits }) => awaits)).toEqual([
    'SessionStart(clear)',
    'SessionStart(compact)',
    'Stop',
  ]);
});

test('a new step starts with empty fields', () => {
  const cleared = { kind: 'moved', sessionId: 't', isCleared: true } as const;
  const ended = { kind: 'ended', result: 'cleared', at: 5 } as const;
  expect(after(...sent, { kind: 'prompted' }, cleared)).toMatchObject({
    sessionId: 't',
    message: 'm',
    isPrompted: true,
    isCleared: true,
  });
  const next = after(...sent, { kind: 'prompted' }, cleared, ended, { kind: 'begun', step: 1 });
  expect(next).toMatchObject({ sessionId: 't', message: null, isPrompted: false, isCleared: false });
  expect(activeOf(next)?.command).toBe('/compact now');
  expect(next.steps[0]).toMatchObject({ status: 'done', result: 'cleared', endedAt: 5 });
});

test('one step is active at a time, and each begins once', () => {
  expect(reduceRun(after(...sent), { kind: 'begun', step: 1 })).toBeNull();
  const ended = after(...sent, { kind: 'ended', result: '', at: 1 });
  expect(reduceRun(ended, { kind: 'begun', step: 0 })).toBeNull();
  expect(reduceRun(ended, { kind: 'begun', step: 3 })).toBeNull();
  expect(reduceRun(ended, { kind: 'ended', result: '', at: 2 })).toBeNull();
});

test('the end of the last step ends the run', () => {
  const steps = [0, 1, 2].flatMap(step => [
    { kind: 'begun', step } as const,
    { kind: 'ended', result: `${step}`, at: step } as const,
  ]);
  expect(viewOf(after(...steps))).toMatchObject({
    status: 'done',
    reason: null,
    steps: [{}, {}, { result: '2' }],
  });
});

test('a cancelled run keeps what was done, and nothing changes it any more', () => {
  const ended = { kind: 'ended', result: 'x', at: 1 } as const;
  const cancelled = after(
    ...sent,
    ended,
    { kind: 'begun', step: 1 },
    { kind: 'cancelled', reason: 'no', at: 2 },
  );
  expect(viewOf(cancelled)).toMatchObject({ status: 'cancelled', reason: 'no' });
  expect(cancelled.steps.map(({ status, endedAt }) => [status, endedAt])).toEqual([
    ['done', 1],
    ['cancelled', 2],
    ['cancelled', 2],
  ]);
  expect('message' in cancelled).toBe(false);
  for (const change of [...sent, ended, { kind: 'cancelled', reason: 'again', at: 3 } as const])
    expect(reduceRun(cancelled, change)).toBeNull();
});
