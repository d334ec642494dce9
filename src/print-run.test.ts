import { expect, test } from 'vitest';
import { isPrintRun } from './print-run.ts';

test.each<[string, boolean]>([
  ['claude --settings=/tmp/claude-print-12-abc123/settings.json --model opus', true],
  ['claude --settings=/tmp/claude-print-12/settings.json', false],
  ['claude --settings /tmp/claude-print-12-abc123/settings.json', false],
  ['claude fix /tmp/claude-print-12-abc123/settings.json', false],
  ['vi --settings=/home/me/settings.json', false],
])('%s: %s', (line, expected) => {
  expect(isPrintRun(line.split(' '))).toBe(expected);
});

test('the arguments of a run in another folder prove nothing', () => {
  const args = ['claude', '--settings=/tmp/claude-print-12-abc123/settings.json'];
  expect(isPrintRun(args, '/tmp/claude-print-12-abc123')).toBe(true);
  expect(isPrintRun(args, '/tmp/claude-print-12-abc124')).toBe(false);
});
