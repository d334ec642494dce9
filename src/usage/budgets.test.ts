import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageStore } from '../store/usage/usage-store.ts';
import { budgetNotice } from './budget-notice.ts';
import { budgetsOf, newlyReached } from './budgets.ts';
import { priceOf, tierOf } from './prices.ts';

const open = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  const store = await UsageStore.open(join(dir, 'usage.db'));
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  let n = 0;
  /** A million input tokens of Opus 4.8: 5 dollars. */
  const spend = (sessionId: string, at: number) =>
    store.add(
      'a.jsonl',
      ++n,
      [
        {
          id: `msg_${n}`,
          at,
          sessionId,
          dir: '/w',
          model: 'claude-opus-4-8',
          tier: '',
          input: 1_000_000,
          output: 0,
          cacheWrite5m: 0,
          cacheWrite1h: 0,
          cacheRead: 0,
          webSearches: 0,
          isCopy: false,
          created: 0,
        },
      ],
      [],
    );
  return { store, spend };
};

// A Wednesday.
const noon = new Date(2026, 10, 18, 12).getTime();
const day = 86_400_000;

test('a budget is reached once per day, week and session, and again when it is raised', async () => {
  const { store, spend } = await open();
  const budget = { day: 8, week: 12, session: 5 };
  const reached = (sessions: string[], now = noon, limits = budget) =>
    newlyReached(store, limits, {}, sessions, now).map(({ kind, of, spent }) => [kind, of, spent]);
  spend('a', noon - 7 * day);
  spend('a', noon - 2 * day);
  expect(reached(['b'])).toEqual([]);
  expect(reached(['a'])).toEqual([['session', 'a', 10]]);
  spend('b', noon);
  spend('b', noon);
  expect(reached(['a', 'b'])).toEqual([
    ['day', '2026-11-18', 10],
    ['week', '2026-11-16', 15],
    ['session', 'b', 10],
  ]);
  expect(reached(['a', 'b'])).toEqual([]);
  expect(reached(['b'], noon, { ...budget, day: 9 })).toEqual([['day', '2026-11-18', 10]]);
  spend('c', noon + day);
  expect(reached(['c'], noon + day)).toEqual([['session', 'c', 5]]);
  expect(budgetsOf(store, budget, {}, noon + day)).toEqual([
    { kind: 'day', limit: 8, spent: 5 },
    { kind: 'week', limit: 12, spent: 20 },
    { kind: 'session', limit: 5, spent: 5 },
  ]);
});

test('the notification says what was reached, and that nothing stops', () => {
  const reached = { kind: 'session' as const, of: '97430978-e1b6', limit: 5, spent: 5.2 };
  expect(budgetNotice(reached, undefined).title).toBe('Budget reached: $5.20 of $5.00 by 97430978');
  expect(budgetNotice({ ...reached, kind: 'week' }, undefined).title).toContain('this week');
  expect(budgetNotice(reached, undefined).text).toContain('keep running');
  const titled = budgetNotice(reached, { id: reached.of, title: 'Secret plan' });
  expect(titled.title).toContain('Secret plan');
  expect(JSON.stringify(titled.brief)).not.toContain('Secret plan');
});

test('prices are found by any name of a model, and those of the config come first', () => {
  for (const name of [
    'claude-opus-4-8[1m]',
    'us.anthropic.claude-opus-4-8-20260101-v1:0',
    'claude-opus-4-8@20260101',
  ])
    expect(priceOf(name, '')).toMatchObject({ input: 5, output: 25, cacheWrite1h: 10 });
  expect(priceOf('claude-opus-5-5', 'fast')).toMatchObject({ input: 8, cacheRead: 0.4 });
  expect(priceOf('claude-haiku-5-5', tierOf('claude-haiku-5-5', false, 100_001))).toMatchObject({
    input: 0.5,
  });
  expect(priceOf('claude-story', '')).toBeNull();
  expect(priceOf('claude-story', '', { 'claude-story': { input: 1, output: 2, cacheRead: 0 } })).toEqual({
    input: 1,
    output: 2,
    cacheWrite5m: 1.25,
    cacheWrite1h: 2,
    cacheRead: 0,
  });
});
