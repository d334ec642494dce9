import { expect, test } from 'vitest';
import type { UsageRow } from '../../contract/usage.ts';
import { costText } from '../../client/usage-text.ts';
import { figuresCost, sessionName, tokenText } from './figures-text.ts';
import { others, stackDays, startOf } from './stacked-days.ts';

const row = (name: string, part: string, cost: number | null, output = 10): UsageRow => ({
  name,
  part,
  messages: 1,
  input: 0,
  output,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  cacheRead: 5,
  webSearches: 0,
  cost,
  unpriced: cost === null ? [part] : [],
});

const now = new Date(2026, 2, 30, 15);

test('each day of the period is a column, across the change to summer time', () => {
  const from = startOf(4, now);
  const { days, parts, most } = stackDays(
    [row('2026-03-27', 'opus', 1), row('2026-03-30', 'opus', 2), row('2026-03-30', 'haiku', 4)],
    'cost',
    from,
    now,
  );
  expect(parts).toEqual(['haiku', 'opus']);
  expect(days).toEqual([
    { day: '2026-03-27', values: [0, 1], total: 1 },
    { day: '2026-03-28', values: [0, 0], total: 0 },
    { day: '2026-03-29', values: [0, 0], total: 0 },
    { day: '2026-03-30', values: [4, 2], total: 6 },
  ]);
  expect(most).toBe(6);
});

test('a model without a price has tokens and no cost', () => {
  const rows = [row('2026-03-30', 'new-model', null, 40), row('2026-03-30', 'opus', 2)];
  expect(stackDays(rows, 'cost', startOf(1, now), now).days[0]?.total).toBe(2);
  const { parts, days } = stackDays(rows, 'tokens', startOf(1, now), now);
  expect([parts, days[0]?.values]).toEqual([
    ['new-model', 'opus'],
    [45, 15],
  ]);
  expect(figuresCost(rows[0] as UsageRow)).toBe('–');
  expect(figuresCost({ cost: 2, unpriced: ['new-model'] })).toBe('$2.00+');
});

test('what is beyond the colours is added up as others, and rows outside the period are left out', () => {
  const rows = Array.from({ length: 10 }, (_, n) => row('2026-03-30', `project-${n}`, 10 - n));
  const { parts, days } = stackDays([...rows, row('2026-01-01', 'old', 1)], 'cost', startOf(1, now), now);
  expect(parts).toHaveLength(7);
  expect([parts[0], parts.at(-1)]).toEqual(['project-0', others]);
  expect(days).toHaveLength(1);
  expect(days[0]?.total).toBe(55);
  expect(days[0]?.values.at(-1)).toBe(4 + 3 + 2 + 1);
});

test('no usage is an empty plot', () => {
  expect(stackDays([], 'cost', startOf(2, now), now)).toMatchObject({ parts: [], most: 0 });
});

test('tokens, costs and sessions as text', () => {
  expect([0, 950, 1_000, 12_345, 4_560_000, 123e6, 2e9].map(tokenText)).toEqual([
    '0',
    '950',
    '1.00k',
    '12.3k',
    '4.56M',
    '123M',
    '2.00G',
  ]);
  expect([0, 0.0123, 3.2].map(costText)).toEqual(['$0.00', '$0.0123', '$3.20']);
  const session = { ...row('80e366e0-0d6b', '', 1), project: '/home/me/shop' };
  expect(sessionName(session)).toBe('shop 80e366e0');
  expect(sessionName({ ...session, title: 'Payments' })).toBe('Payments');
});
