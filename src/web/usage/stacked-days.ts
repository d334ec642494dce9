/** Turns the rows of a report by day into stacked columns: one for each day, also for days without usage. */
import type { UsageRow } from '../../contract/usage.ts';
import { tokensOf } from './figures-text.ts';

export type Metric = 'cost' | 'tokens';

export interface StackedDay {
  /** A local date. */
  day: string;
  total: number;
  /** One value for each of the parts. */
  values: number[];
}

export interface StackedDays {
  days: StackedDay[];
  /** The models or projects, largest first. The last one combines all others if there are too many. */
  parts: string[];
  most: number;
}

/** More colours than these cannot be distinguished. */
const partsAtMost = 7;
export const others = 'others';

/** `from` and `to` are local dates; the first day is that of `from`. */
export const stackDays = (rows: UsageRow[], metric: Metric, from: Date, to: Date): StackedDays => {
  const valueOf = (row: UsageRow) => (metric === 'cost' ? (row.cost ?? 0) : tokensOf(row));
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.part ?? '', (sums.get(row.part ?? '') ?? 0) + valueOf(row));
  const ranked = [...sums].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const parts = ranked.length > partsAtMost ? [...ranked.slice(0, partsAtMost - 1), others] : ranked;
  const days = new Map(daysBetween(from, to).map(day => [day, parts.map(() => 0)]));
  for (const row of rows) {
    const values = days.get(row.name);
    const at = parts.indexOf(row.part ?? '');
    const place = at < 0 ? parts.length - 1 : at;
    if (values) values[place] = (values[place] ?? 0) + valueOf(row);
  }
  const stacked = [...days].map(([day, values]) => ({
    day,
    values,
    total: values.reduce((sum, value) => sum + value, 0),
  }));
  return { days: stacked, parts, most: Math.max(0, ...stacked.map(({ total }) => total)) };
};

/** The midnight at which the last `days` days began. Today counts: 1 is this morning. */
export const startOf = (days: number, now: Date): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);

const daysBetween = (from: Date, to: Date): string[] => {
  const days: string[] = [];
  for (let n = 0; ; n++) {
    // Not by adding hours: a day may have 23 or 25 of them.
    const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + n);
    if (day > to) return days;
    days.push(dateOf(day));
  }
};

const dateOf = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map(part => String(part).padStart(2, '0')).join('-');
