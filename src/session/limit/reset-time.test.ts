import { expect, test } from 'vitest';
import { resetTimeIn } from './reset-time.ts';

const at = Date.parse('2026-11-16T21:13:20Z');

test.each([
  ["You've hit your session limit · resets 11:30pm (UTC)", '2026-11-16T23:30:00Z'],
  ["You've hit your session limit · resets 2am (Europe/Berlin)", '2026-11-17T01:00:00Z'],
  ["You've hit your limit · resets 3pm (America/New_York)", '2026-11-17T20:00:00Z'],
  ["You've hit your weekly limit · resets Nov 20, 2pm (UTC)", '2026-11-20T14:00:00Z'],
  ["You've hit your weekly limit · resets Nov 20 at 2:05pm (UTC)", '2026-11-20T14:05:00Z'],
  ['Your limit resets Jan 2, 12am (UTC)', '2027-01-02T00:00:00Z'],
  ['Claude AI usage limit reached|1795000000', new Date(1_795_000_000_000).toISOString()],
])('%s', (text, expected) => {
  expect(new Date(resetTimeIn(text, at) as number).toISOString()).toBe(new Date(expected).toISOString());
});

test('a reset in the minute of the message is not a day away', () => {
  expect(resetTimeIn('resets 9:13pm (UTC)', at)).toBe(Date.parse('2026-11-16T21:13:00Z'));
});

test('a text without a time, or with an unknown time zone, gives null', () => {
  expect(resetTimeIn('API Error: Rate limited', at)).toBe(null);
  expect(resetTimeIn('resets 2pm (Mars/Olympus)', at)).toBe(null);
});
