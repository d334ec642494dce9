import { expect, test } from 'vitest';
import { costReportOf, statusLineFacts } from './status-line.ts';

test('the cost of a status line is reported with its process', () => {
  const payload = { session_id: 's1', cost: { total_cost_usd: 0.072315 } };
  expect(costReportOf(payload, 7, 12)).toEqual({ sessionId: 's1', at: 7, pid: 12, cost: 0.072315 });
  expect(costReportOf({ ...payload, cost: { total_cost_usd: 0 } }, 7, null)).toMatchObject({ cost: 0 });
  for (const none of [
    null,
    {},
    { session_id: 's1', cost: null },
    { session_id: 's1', cost: { total_cost_usd: -1 } },
    { session_id: 's1', cost: { total_cost_usd: Number.POSITIVE_INFINITY } },
  ])
    expect(costReportOf(none, 7, null)).toBeNull();
});

test('shows the cost of today, and waiting sessions where there are any', () => {
  expect(statusLineFacts(3.204, 2)).toBe('$3.20\n2 waiting\n');
  expect(statusLineFacts(0, 0)).toBe('$0.00\n\n');
});
