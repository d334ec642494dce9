/**
 * What sessions were billed: by model, as Claude Code writes it when it exits, and in total, as the status line reports it.
 *
 * A version of Claude Code counts the reported total for each process, so that it continues after /clear and begins again after
 * a resume, or for each session, whatever process it is in. Either way the total of a session grows by what a report has
 * beyond an earlier one of the same process or session.
 */
import type { Connection } from '../connection.ts';
import type { UsageBill } from './usage-sums.ts';

/** The total that a status line reports. */
export interface CostReport {
  sessionId: string;
  at: number;
  /** The process of Claude Code; null where it is not known. */
  pid: number | null;
  cost: number;
}

/** Records what a session was billed for one model. Its figures are newer than a total of the status line. */
export const addBill = (db: Connection, session: number, bill: UsageBill): void => {
  const { model, at, input, output, cacheWrite, cacheRead, cost } = bill;
  db.prepare("DELETE FROM bill WHERE session = ? AND model = ''").run(session);
  db.prepare('INSERT OR REPLACE INTO bill VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    session,
    model,
    at,
    input,
    output,
    cacheWrite,
    cacheRead,
    cost,
  );
};

/** Records the total of a session. */
export const addCostReport = (db: Connection, session: number, { at, pid, cost }: CostReport): void => {
  const before = db
    .prepare(
      `SELECT max(cost) AS cost FROM (
        SELECT cost FROM costReport WHERE session = ?
        UNION ALL SELECT * FROM (SELECT cost FROM costReport WHERE pid = ? ORDER BY at DESC LIMIT 1)
      ) WHERE cost <= ?`,
    )
    .get(session, pid, cost + rounding) as { cost: number | null };
  db.prepare('INSERT OR REPLACE INTO costReport VALUES (?, ?, ?, ?)').run(session, pid, at, cost);
  const known = db
    .prepare(
      `SELECT sum(cost) FILTER (WHERE model = '') AS total, sum(cost) FILTER (WHERE model <> '') AS byModel
        FROM bill WHERE session = ?`,
    )
    .get(session) as { total: number | null; byModel: number | null };
  // A version that writes the bill by model counts for each session.
  const total = known.byModel === null ? (known.total ?? 0) + Math.max(0, cost - (before.cost ?? 0)) : cost;
  if (total <= (known.byModel ?? 0) + rounding) return;
  db.prepare("INSERT OR REPLACE INTO bill VALUES (?, '', ?, NULL, NULL, NULL, NULL, ?)").run(
    session,
    at,
    total,
  );
};

/** Sums of the same amounts may differ by this, US dollars. */
const rounding = 1e-9;
