/** Builds the answer of `drover usage` from the sums of the database. */
import type {
  Price,
  Usage,
  UsageBy,
  UsageFigures,
  UsageQuery,
  UsageRow,
  UsageUnrecorded,
} from '../contract/usage.ts';
import {
  type BilledSums,
  bills,
  countSessions,
  groupSums,
  type GroupSums,
  sessionSums,
} from '../store/usage/usage-report.ts';
import type { UsageStore } from '../store/usage/usage-store.ts';
import { addTo, costOf, noFigures } from './figures.ts';

export type UsageReport = Pick<Usage, 'by' | 'since' | 'rows' | 'total' | 'unrecorded'>;

export const reportOf = (
  store: UsageStore,
  { by, split, since, session = null }: UsageQuery,
  prices: Record<string, Price>,
): UsageReport => {
  const rows = new Map<string, UsageRow>();
  const total = noFigures();
  // A session's directory comes with it.
  const second = split ?? (by === 'session' ? 'project' : null);
  for (const sums of groupSums(store, by, second, since, session)) {
    const name = nameOf(by, sums.name);
    const part = split ? nameOf(split, sums.part) : undefined;
    const key = `${name}\0${part ?? ''}`;
    const project = by === 'session' && !split ? { project: nameOf('project', sums.part) } : {};
    const row = rows.get(key) ?? { name, ...(part !== undefined && { part }), ...project, ...noFigures() };
    rows.set(key, row);
    addTo(row, sums, prices);
    addTo(total, sums, prices);
  }
  return {
    by,
    since,
    rows: [...rows.values()].sort(by === 'day' ? byName : byCost),
    total,
    unrecorded: unrecordedOf(store, since, session, prices),
  };
};

/** Returns the cost of these sums; models without a price cost nothing. */
export const spentIn = (sums: GroupSums[], prices: Record<string, Price>): number =>
  sums.reduce((sum, one) => sum + (costOf(one, prices) ?? 0), 0);

/** What the bills have beyond the transcripts of their sessions. */
const unrecordedOf = (
  store: UsageStore,
  since: number | null,
  session: string | null,
  prices: Record<string, Price>,
): UsageUnrecorded => {
  const recorded = new Map<string, UsageFigures>();
  for (const sums of sessionSums(store, since)) {
    for (const key of [`${sums.session} ${sums.model}`, `${sums.session} `]) {
      const figures = recorded.get(key) ?? noFigures();
      recorded.set(key, figures);
      // At the prices of Claude Code, as the bill is.
      addTo(figures, sums, {});
    }
  }
  const found = bills(store, since, session).filter(bill =>
    hasWholeBill(bill, recorded.get(`${bill.session} `)),
  );
  const rest = found.map(bill => restOf(bill, recorded.get(`${bill.session} ${bill.model}`), prices));
  const hasTokens = found.some(({ input }) => input !== null);
  const sum = (read: (one: (typeof rest)[number]) => number) =>
    rest.reduce((total, one) => total + read(one), 0);
  const sessions = new Set(found.map(({ session }) => session)).size;
  return {
    sessions,
    unknownSessions: Math.max(0, countSessions(store, since, session) - sessions),
    input: hasTokens ? sum(one => one.input) : null,
    output: hasTokens ? sum(one => one.output) : null,
    cacheWrite: hasTokens ? sum(one => one.cacheWrite5m) : null,
    cacheRead: hasTokens ? sum(one => one.cacheRead) : null,
    cost: sum(one => one.cost),
  };
};

/** Whether a bill shows the unrecorded rest. A total that is only a part of the cost, or may be, does not. */
const hasWholeBill = ({ model, cost }: BilledSums, recorded = noFigures()): boolean =>
  model !== '' || (recorded.unpriced.length === 0 && cost >= (recorded.cost ?? 0) - rounding);

const restOf = (bill: BilledSums, recorded = noFigures(), prices: Record<string, Price>) => {
  const written = recorded.cacheWrite5m + recorded.cacheWrite1h;
  const rest = {
    messages: 0,
    input: beyond(bill.input, recorded.input),
    output: beyond(bill.output, recorded.output),
    cacheWrite5m: beyond(bill.cacheWrite, written),
    cacheWrite1h: 0,
    cacheRead: beyond(bill.cacheRead, recorded.cacheRead),
    webSearches: 0,
  };
  // Where the bill has tokens they are priced like all others.
  const cost =
    bill.model === ''
      ? beyond(bill.cost, recorded.cost ?? 0)
      : (costOf({ ...rest, model: bill.model, tier: '' }, prices) ?? 0);
  return { ...rest, cost };
};

const beyond = (billed: number | null, recorded: number): number =>
  billed === null || billed - recorded < rounding ? 0 : billed - recorded;

/** Rounding of costs must not look like usage, US dollars. */
const rounding = 1e-9;

const nameOf = (by: UsageBy, value: string | number | null): string => {
  if (by !== 'day') return String(value ?? '-');
  const text = String(value);
  return `${text.slice(0, -4)}-${text.slice(-4, -2)}-${text.slice(-2)}`;
};

const byName = (a: UsageRow, b: UsageRow): number => (a.name < b.name ? -1 : 1);

const byCost = (a: UsageRow, b: UsageRow): number =>
  (b.cost ?? -1) - (a.cost ?? -1) || b.output - a.output || byName(a, b);
