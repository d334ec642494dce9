/** What the status line of a session says about its cost, and what Drover shows there. */
import type { UsageBill } from '../store/usage-sums.ts';

/** Returns the bill in the JSON of a status line; null when it has none. */
export const billOf = (payload: object | null, at: number): UsageBill | null => {
  const { session_id: sessionId, cost } = (payload ?? {}) as Record<string, unknown>;
  const total = (cost as { total_cost_usd?: unknown } | null | undefined)?.total_cost_usd;
  if (typeof sessionId !== 'string' || sessionId === '' || sessionId.length > 200) return null;
  if (typeof total !== 'number' || !(total > 0)) return null;
  return {
    sessionId,
    at,
    model: '',
    input: null,
    output: null,
    cacheWrite: null,
    cacheRead: null,
    cost: total,
  };
};

/** The two lines of the file from which the status line shows the cost of today and the sessions that wait. */
export const statusLineFacts = (today: number, waiting: number): string =>
  `$${today.toFixed(2)}\n${waiting > 0 ? `${waiting} waiting` : ''}\n`;
