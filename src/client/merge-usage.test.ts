import { expect, test } from 'vitest';
import type { Usage, UsageFigures } from '../contract/usage.ts';
import { missingText } from './ask-hosts.ts';
import { mergeUsage } from './merge-usage.ts';

const figures = (input: number, cost: number | null, unpriced: string[] = []): UsageFigures => ({
  messages: 1,
  input,
  output: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  cacheRead: 0,
  webSearches: 0,
  cost,
  unpriced,
});
const usage = (by: Usage['by'], rows: Usage['rows'], total: UsageFigures, input: number | null): Usage => ({
  by,
  since: null,
  rows,
  total,
  unrecorded: {
    sessions: 1,
    unknownSessions: 0,
    input,
    output: null,
    cacheWrite: null,
    cacheRead: null,
    cost: 1,
  },
  reading: { files: 1, bytes: 2, leftFiles: 0, leftBytes: 0 },
  pricesOf: '2026-01-01',
  budgets: [],
});

test('days of several hosts are added up; a cost that one host does not know does not hide the other', () => {
  const here = usage('day', [{ name: '2026-03-02', ...figures(5, 2) }], figures(5, 2), 7);
  const rows = [
    { name: '2026-03-01', ...figures(1, null, ['new']) },
    { name: '2026-03-02', ...figures(3, null, ['new']) },
  ];
  const merged = mergeUsage([here, usage('day', rows, figures(4, null, ['new']), null)]);
  expect(merged.rows).toMatchObject([
    { name: '2026-03-01', input: 1, cost: null },
    { name: '2026-03-02', input: 8, cost: 2, unpriced: ['new'], messages: 2 },
  ]);
  expect(merged.total).toMatchObject({ input: 9, cost: 2 });
  expect(merged.unrecorded).toMatchObject({ sessions: 2, input: 7, output: null, cost: 2 });
});

test('a project in another folder of another host is the same one', () => {
  const [here, there] = ['/home/me/shop', '/srv/shop'].map(name =>
    usage('project', [{ name, ...figures(1, 1) }], figures(1, 1), 0),
  ) as [Usage, Usage];
  expect(mergeUsage([here, there]).rows).toMatchObject([{ name: 'shop', input: 2, cost: 2 }]);
});

test('hosts that did not answer are named with the reason', () => {
  const nas = { host: 'nas', answer: null, problem: 'away 3 min' };
  expect(missingText([{ host: 'laptop', answer: 1, problem: null }, nas])).toBe(
    'Not included: nas (away 3 min)',
  );
  expect(missingText([{ host: 'laptop', answer: 1, problem: null }])).toBeNull();
});
