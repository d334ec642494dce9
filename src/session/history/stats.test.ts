import { expect, test } from 'vitest';
import { statsOf } from './stats.ts';
import type { Wait } from './wait.ts';

const day = (n: number, hour: number) => new Date(2026, 2, n, hour).getTime();
const wait = (since: number, length: number, more: Partial<Wait> = {}): Wait => ({
  sessionId: 'a',
  since,
  until: since + length,
  reason: 'stopped',
  project: 'shop',
  answered: true,
  ...more,
});

test('a wait counts for the day of its answer, and days without one are listed too', () => {
  const stats = statsOf([wait(day(27, 23), 2 * 3_600_000), wait(day(29, 10), 60_000)], [], day(30, 12), 4);
  expect(stats.days.map(({ day: name, waits }) => `${name} ${waits}`)).toEqual([
    '2026-03-27 0',
    '2026-03-28 1',
    '2026-03-29 1',
    '2026-03-30 0',
  ]);
});

test('the median of an even number is between the two in the middle; of none it is 0', () => {
  const of = (...lengths: number[]) =>
    statsOf(
      lengths.map(length => wait(0, length)),
      [],
      1,
      1,
    ).median;
  expect([of(), of(5), of(10, 20), of(30, 10, 20)]).toEqual([0, 5, 15, 20]);
});

test('groups are sorted by total waiting time; waits that ended with their session are counted separately', () => {
  const stats = statsOf(
    [
      wait(0, 10, { reason: 'permission', project: null }),
      wait(0, 30),
      wait(0, 1_000, { answered: false }),
      wait(0, 5, { reason: 'permission', project: 'blog' }),
    ],
    [{ since: 40 }, { since: 90 }],
    100,
    1,
  );
  expect(stats).toMatchObject({
    waits: 3,
    total: 45,
    longest: 30,
    unanswered: 1,
    open: { waits: 2, longest: 60 },
  });
  expect(stats.reasons.map(({ name, waits, total }) => [name, waits, total])).toEqual([
    ['stopped', 1, 30],
    ['permission', 2, 15],
  ]);
  expect(stats.projects.map(({ name }) => name)).toEqual(['shop', '-', 'blog']);
});
