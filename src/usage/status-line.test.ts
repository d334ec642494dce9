import { expect, test } from 'vitest';
import { billOf, statusLineFacts } from './status-line.ts';

test('the cost of a status line is a bill without tokens', () => {
  const payload = { session_id: 's1', cost: { total_cost_usd: 0.072315 } };
  expect(billOf(payload, 7)).toMatchObject({
    sessionId: 's1',
    at: 7,
    model: '',
    input: null,
    cost: 0.072315,
  });
  for (const none of [
    null,
    {},
    { session_id: 's1', cost: null },
    { session_id: 's1', cost: { total_cost_usd: 0 } },
  ])
    expect(billOf(none, 7)).toBeNull();
});

test('shows the cost of today, and waiting sessions where there are any', () => {
  expect(statusLineFacts(3.204, 2)).toBe('$3.20\n2 waiting\n');
  expect(statusLineFacts(0, 0)).toBe('$0.00\n\n');
});
