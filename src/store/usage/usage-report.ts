/** Queries of the usage database. Sums of whole days come from the tables of days and totals, so a million messages cost nothing. */
import type { UsageBy } from '../../contract/usage.ts';
import { dayNumber } from './usage-days.ts';
import type { UsageStore } from './usage-store.ts';
import { tokenColumns, type TokenSums, type UsageBill } from './usage-sums.ts';

/** Sums of one model and tier, within a group. */
export interface GroupSums extends TokenSums {
  name: string | number | null;
  part: string | number | null;
  model: string;
  tier: string;
}

/** A session's bill of one model beside what its transcripts say. */
export interface BilledSums extends Omit<UsageBill, 'sessionId' | 'at'> {
  session: number;
}

/** Returns sums by one dimension, or two, and always by model, since a time or from the beginning. */
export const groupSums = (
  { db }: UsageStore,
  by: UsageBy,
  split: UsageBy | null,
  since: number | null,
  session: string | null = null,
): GroupSums[] => {
  const needsSession = session !== null || [by, split].some(one => one === 'project' || one === 'session');
  const { text, values } = rowsSince(needsSession ? 'day' : 'total', since);
  return db
    .prepare(
      `SELECT g.*, m.model AS model, m.tier AS tier FROM (
        SELECT ${dimensions[by]} AS name, ${split ? dimensions[split] : 'NULL'} AS part, u.model AS id, ${sums}
        FROM (${text}) u ${needsSession ? 'JOIN session s ON s.id = u.session' : ''}
        ${[by, split].includes('model') ? 'JOIN model n ON n.id = u.model' : ''}
        ${session === null ? '' : 'WHERE s.session = ?'} GROUP BY 1, 2, 3
      ) g JOIN model m ON m.id = g.id`,
    )
    .all(...values, ...(session === null ? [] : [session])) as GroupSums[];
};

/** Returns sums by model for each session with a bill since that time, and for one session. */
export const sessionSums = (
  { db }: UsageStore,
  since: number | null,
): (TokenSums & { session: number; model: string; tier: string })[] =>
  db
    .prepare(
      `SELECT u.session AS session, m.model AS model, m.tier AS tier, ${sums} FROM day u JOIN model m ON m.id = u.model
        WHERE u.session IN (SELECT session FROM bill WHERE at >= ?) GROUP BY u.session, u.model`,
    )
    .all(since ?? 0) as never;

/**
 * Returns the bills since a time that no message is newer than. A total of the status line is kept beside the bill by model
 * only while it is newer, and has every message from before it. The bill of a fork includes what its original was billed.
 */
export const bills = ({ db }: UsageStore, since: number | null, session: string | null): BilledSums[] =>
  db
    .prepare(
      `SELECT b.session, b.model, b.input, b.output, b.cacheWrite, b.cacheRead, b.cost FROM bill b
        JOIN session s ON s.id = b.session WHERE b.at >= ? AND s.last <= b.at + iif(b.model = '', 0, ${lateLines}) AND s.session = coalesce(?, s.session) AND s.isFork = 0
          AND (b.model = '' OR NOT EXISTS (SELECT 1 FROM bill t WHERE t.session = b.session AND t.model = ''))`,
    )
    .all(since ?? 0, session) as BilledSums[];

/** Counts the sessions that used tokens since a time. */
export const countSessions = (
  { db }: UsageStore,
  since: number | null,
  session: string | null = null,
): number => {
  const { n } = db
    .prepare(
      'SELECT count(*) AS n FROM session WHERE last >= ? AND last > 0 AND session = coalesce(?, session)',
    )
    .get(since ?? 0, session) as { n: number };
  return n;
};

/** Returns the sums of one session by model. */
export const sumsOf = ({ db }: UsageStore, session: string): GroupSums[] =>
  db
    .prepare(
      `SELECT s.session AS name, NULL AS part, m.model AS model, m.tier AS tier, ${sums}
        FROM session s JOIN day u ON u.session = s.id JOIN model m ON m.id = u.model WHERE s.session = ?
        GROUP BY u.model`,
    )
    .all(session) as GroupSums[];

/** A message may be written this long after the bill by model that includes it, ms. */
const lateLines = 2_000;

const sums = [
  'sum(u.messages) AS messages',
  ...tokenColumns.map(column => `sum(u.${column}) AS ${column}`),
].join(', ');

const dimensions: Record<UsageBy, string> = {
  day: 'u.day',
  project: 's.dir',
  session: 's.session',
  model: 'n.model',
};

/** The days since a time, with their sessions or as totals. If the first day is incomplete, its messages are counted instead. */
const rowsSince = (table: 'day' | 'total', since: number | null): { text: string; values: number[] } => {
  if (since === null) return { text: `SELECT * FROM ${table}`, values: [] };
  const date = new Date(since);
  const midnight = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const first = dayNumber(since);
  if (midnight.getTime() === since) return { text: `SELECT * FROM ${table} WHERE day >= ?`, values: [first] };
  const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  return {
    text: `SELECT * FROM ${table} WHERE day > ? UNION ALL
      SELECT ${first}, ${table === 'day' ? 'session, ' : ''}model, 1, ${tokenColumns.join(', ')} FROM message WHERE at >= ? AND at < ?`,
    values: [first, since, next],
  };
};
