import { expect, test } from 'vitest';
import { passedLimit, type Times } from './time-limits.ts';

const limits = { overall: 3600, firstOutput: 90, firstLine: 95, stop: 120 };
const times = (more: Partial<Times>): Times => ({
  limits,
  isStreaming: false,
  now: 0,
  began: 0,
  firstSign: 1,
  firstLine: 2,
  lastSign: 2,
  isStarted: true,
  isBusy: false,
  ...more,
});

test.each<[string, Partial<Times>, RegExp | null]>([
  ['all is well', { now: 100 }, null],
  ['the whole run', { now: 3601, isBusy: true }, /--timeout/],
  ['nothing shown', { now: 91, firstSign: null }, /--first-output-timeout/],
  ['no line, but nobody reads lines', { now: 96, firstLine: null }, null],
  ['no line', { now: 96, firstLine: null, isStreaming: true }, /--stream-json-timeout/],
  ['no Stop', { now: 123 }, /--stop-hook-timeout/],
  ['no Stop, with a sign of work since', { now: 200, lastSign: 100 }, null],
  ['a long start', { now: 200, isStarted: false }, null],
  ['a long turn', { now: 3000, isBusy: true }, null],
])('%s', (_, more, words) => {
  const passed = passedLimit(times(more));
  if (words) expect(passed).toMatch(words);
  else expect(passed).toBeNull();
});
