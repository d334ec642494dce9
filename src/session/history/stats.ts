/** Statistics of how long sessions waited for a human. */
import type { DayFigures, Figures, Stats } from '../../contract/stats.ts';
import type { Wait } from './wait.ts';

/** Returns the figures of the days up to and including today; `open` are the waits that are not over. */
export const statsOf = (waits: Wait[], open: { since: number }[], now: number, days: number): Stats => {
  const answered = waits.filter(wait => wait.answered);
  const byDay = groups(answered, ({ until }) => dayOf(until));
  return {
    ...figures(answered),
    unanswered: waits.length - answered.length,
    open: { waits: open.length, longest: Math.max(0, ...open.map(({ since }) => now - since)) },
    days: daysUpTo(now, days).map(day => ({ day, ...figures(byDay.get(day) ?? []) })),
    reasons: rankReasons(groups(answered, ({ reason }) => reason)),
    projects: rankReasons(groups(answered, ({ project }) => project ?? '-')),
  };
};

/** Returns the local midnight at which the first of these days began. */
export const firstMidnight = (now: number, days: number): number => {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days + 1).getTime();
};

const figures = (waits: Wait[]): Figures => {
  const lengths = waits.map(({ since, until }) => until - since).sort((a, b) => a - b);
  return {
    waits: lengths.length,
    total: lengths.reduce((sum, length) => sum + length, 0),
    median: median(lengths),
    longest: lengths.at(-1) ?? 0,
  };
};

const median = (sorted: number[]): number => {
  const middle = sorted.length / 2;
  return Math.round(((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2);
};

const groups = (waits: Wait[], nameOf: (wait: Wait) => string): Map<string, Wait[]> => {
  const found = new Map<string, Wait[]>();
  for (const wait of waits) {
    const group = found.get(nameOf(wait));
    if (group) group.push(wait);
    else found.set(nameOf(wait), [wait]);
  }
  return found;
};

const rankReasons = (found: Map<string, Wait[]>): Stats['reasons'] =>
  Array.from(found, ([name, group]) => ({ name, ...figures(group) })).sort(
    (a, b) => b.total - a.total || (a.name < b.name ? -1 : 1),
  );

const daysUpTo = (now: number, days: number): DayFigures['day'][] => {
  const date = new Date(now);
  return Array.from({ length: days }, (_, n) =>
    dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() - days + 1 + n, 12).getTime()),
  );
};

const dayOf = (time: number): string => {
  const date = new Date(time);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
};
