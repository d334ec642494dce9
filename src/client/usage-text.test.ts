import { expect, test } from 'vitest';
import { budgetText, costText, unrecordedText } from './usage-text.ts';

test('small costs have four digits', () => {
  expect([0, 0.0123, 0.1, 12.345].map(costText)).toEqual(['$0.00', '$0.0123', '$0.10', '$12.35']);
});

test('a budget names its period, and that it is reached', () => {
  expect(budgetText({ kind: 'day', limit: 20, spent: 4 })).toBe('Budget of this day: $4.00 of $20.00');
  expect(budgetText({ kind: 'session', limit: 5, spent: 5 })).toBe(
    'Budget of a session (most expensive today): $5.00 of $5.00, reached',
  );
});

test('usage that is in no transcript is known for sessions with a bill', () => {
  const none = {
    sessions: 0,
    unknownSessions: 0,
    input: null,
    output: null,
    cacheWrite: null,
    cacheRead: null,
    cost: 0,
  };
  const text = (unrecorded: object) => unrecordedText({ ...none, ...unrecorded }, String);
  expect(text({})).toBe('nothing');
  expect(text({ sessions: 1, input: 10, output: 2, cost: 1 })).toBe('10 input, 2 output, $1.00 in 1 session');
  expect(text({ sessions: 1, cost: 1, unknownSessions: 2 })).toBe(
    '$1.00 in 1 session; cost unknown for 2 sessions',
  );
});
