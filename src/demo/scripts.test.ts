import { expect, test } from 'vitest';
import { scripts } from './scripts.ts';
import type { Step } from './script.ts';

const seconds = (step: Step): number =>
  ('takes' in step ? step.takes : 0) + ('waits' in step ? step.waits : 0);

test('every script takes one or two minutes without answers, requests wait long enough to be read, and one comes within the first second', () => {
  for (const { project, steps } of scripts) {
    const total = steps.reduce((sum, step) => sum + seconds(step), 0);
    expect([project, total > 35 && total < 135]).toEqual([project, true]);
  }
  const waits = scripts.flatMap(({ steps }) =>
    steps.flatMap(step => (step.kind === 'ask' ? [step.waits] : [])),
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(30);
  const first = scripts.map(({ steps }) => {
    const ask = steps.findIndex(({ kind }) => kind === 'ask');
    return ask < 0
      ? Number.POSITIVE_INFINITY
      : steps.slice(0, ask).reduce((sum, step) => sum + seconds(step), 0);
  });
  expect(Math.min(...first)).toBeLessThan(1);
});

test('the demo shows a permission, a question, a plan, a failure, background work and an answer', () => {
  const steps = scripts.flatMap(script => script.steps);
  const tools = steps.flatMap(step => (step.kind === 'ask' ? [step.tool] : []));
  expect(tools).toEqual(expect.arrayContaining(['Bash', 'AskUserQuestion', 'ExitPlanMode']));
  expect(steps.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['prompt', 'tool', 'say', 'background', 'fail', 'rest']),
  );
});
