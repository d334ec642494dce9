/** Compares what was spent with the budgets. A budget notifies once per day, week or session; it never stops anything. */
import type { BudgetConfig, BudgetKind, Price, Usage } from '../contract/usage.ts';
import { groupSums, sumsOf } from '../store/usage/usage-report.ts';
import type { UsageStore } from '../store/usage/usage-store.ts';
import { spentIn } from './report.ts';

/** A budget that was reached for the first time in its day, week or session. */
export interface BudgetReached {
  kind: BudgetKind;
  /** The first date of the day or week, or the session id. */
  of: string;
  limit: number;
  spent: number;
}

/** Returns what is spent of each configured budget. Of the session budget: by the most expensive session today. */
export const budgetsOf = (
  store: UsageStore,
  budget: BudgetConfig,
  prices: Record<string, Price>,
  now: number,
): Usage['budgets'] => {
  const spentSince = (since: number) => spentIn(groupSums(store, 'day', null, since), prices);
  const { day, week, session } = budget;
  return [
    ...(day === undefined ? [] : [{ kind: 'day' as const, limit: day, spent: spentSince(midnight(now)) }]),
    ...(week === undefined ? [] : [{ kind: 'week' as const, limit: week, spent: spentSince(monday(now)) }]),
    ...(session === undefined
      ? []
      : [{ kind: 'session' as const, limit: session, spent: mostExpensive(store, prices, now) }]),
  ];
};

/** Returns the budgets that these sessions have brought beyond their limit, each only once; remembers them in the database. */
export const newlyReached = (
  store: UsageStore,
  budget: BudgetConfig,
  prices: Record<string, Price>,
  sessions: string[],
  now: number,
): BudgetReached[] => {
  const periods = budgetsOf(store, { ...budget, session: undefined }, prices, now).map(one => ({
    ...one,
    of: new Date(one.kind === 'day' ? midnight(now) : monday(now)).toLocaleDateString('sv'),
  }));
  const limit = budget.session;
  const single =
    limit === undefined
      ? []
      : sessions.map(of => ({
          kind: 'session' as const,
          of,
          limit,
          spent: spentIn(sumsOf(store, of), prices),
        }));
  return [...periods, ...single].filter(one => {
    if (one.spent < one.limit) return false;
    const fact = `budget ${one.kind} ${one.of}`;
    // A higher limit is a new budget.
    if (Number(store.readFact(fact) ?? 0) >= one.limit) return false;
    store.saveFact(fact, String(one.limit));
    return true;
  });
};

const mostExpensive = (store: UsageStore, prices: Record<string, Price>, now: number): number => {
  const today = new Set(groupSums(store, 'session', null, midnight(now)).map(({ name }) => String(name)));
  return Math.max(0, ...[...today].map(id => spentIn(sumsOf(store, id), prices)));
};

const midnight = (now: number): number => {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
};

const monday = (now: number): number => {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)).getTime();
};
