/** What the status line of a session says about its cost, and what Drover shows there. */
import type { CostReport } from '../store/usage/usage-bills.ts';

/** Returns the cost in the JSON of a status line; null when it has none. */
export const costReportOf = (payload: object | null, at: number, pid: number | null): CostReport | null => {
  const { session_id: sessionId, cost } = (payload ?? {}) as Record<string, unknown>;
  const total = (cost as { total_cost_usd?: unknown } | null | undefined)?.total_cost_usd;
  if (typeof sessionId !== 'string' || sessionId === '' || sessionId.length > 200) return null;
  if (typeof total !== 'number' || !(total >= 0 && total < 1e9)) return null;
  return { sessionId, at, pid, cost: total };
};

/** The two lines of the file from which the status line shows the cost of today and the sessions that wait. */
export const statusLineFacts = (today: number, waiting: number): string =>
  `$${today.toFixed(2)}\n${waiting > 0 ? `${waiting} waiting` : ''}\n`;
