import { expect, test } from 'vitest';
import { overdue, type Times } from './watchdog.ts';

const limits = { overall: 3600, firstOutput: 90, firstLine: 95, stop: 120 };
const times = (more: Partial<Times>): Times => ({
  limits,
  streams: false,
  now: 0,
  began: 0,
  firstSign: 1,
  firstLine: 2,
  sign: 2,
  started: true,
  busy: false,
  ...more,
});

test.each<[string, Partial<Times>, RegExp | null]>([
  ['all is well', { now: 100 }, null],
  ['the whole run', { now: 3601, busy: true }, /--timeout/],
  ['nothing shown', { now: 91, firstSign: null }, /--first-output-timeout/],
  ['no line, but nobody reads lines', { now: 96, firstLine: null }, null],
  ['no line', { now: 96, firstLine: null, streams: true }, /--stream-json-timeout/],
  ['no Stop', { now: 123 }, /--stop-hook-timeout/],
  ['no Stop, with a sign of work since', { now: 200, sign: 100 }, null],
  ['a long start', { now: 200, started: false }, null],
  ['a long turn', { now: 3000, busy: true }, null],
])('%s', (_, more, words) => {
  const late = overdue(times(more));
  if (words) expect(late).toMatch(words);
  else expect(late).toBeNull();
});
