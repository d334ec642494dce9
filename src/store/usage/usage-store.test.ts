import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countSessions, groupSums } from './usage-report.ts';
import { UsageStore } from './usage-store.ts';
import type { UsageMessage } from './usage-sums.ts';
import { aUsageMessage } from '../../testing/usage-message.ts';

const openStore = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ds-'));
  const store = await UsageStore.open(join(dir, 'usage.db'));
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const add = (...messages: UsageMessage[]) => store.add(`${messages[0]?.sessionId}.jsonl`, 1, messages, []);
  const bySession = () =>
    Object.fromEntries(groupSums(store, 'session', null, null).map(({ name, output }) => [name, output]));
  return { store, add, bySession };
};

const at = new Date(2026, 10, 16, 12).getTime();

const message = (change: Partial<UsageMessage>): UsageMessage =>
  aUsageMessage(at, { sessionId: 'original', ...change });

/** What `--fork-session` writes: the lines of the original under another session id, and then its own. */
const fork = (change: Partial<UsageMessage> = {}) =>
  message({ sessionId: 'fork', created: at + 60_000, ...change });

test.each([
  ['original, fork', [0, 1]],
  ['fork, original', [1, 0]],
  ['fork, original, fork again', [1, 0, 1]],
])('a message that a fork copied belongs to the older transcript, read in the order %s', async (_, order) => {
  const { store, add, bySession } = await openStore();
  const files = [[message({})], [fork(), fork({ id: 'msg_2', output: 7 })]];
  for (const n of order) add(...(files[n] as UsageMessage[]));
  expect(bySession()).toEqual({ original: 20, fork: 7 });
  expect(countSessions(store, null)).toBe(2);
});

test('a fork that has asked for nothing itself is not counted, in whatever order the transcripts are read', async () => {
  for (const files of [
    [message({}), fork()],
    [fork(), message({})],
  ]) {
    const { store, add, bySession } = await openStore();
    for (const file of files) add(file);
    expect(bySession()).toEqual({ original: 20 });
    expect(countSessions(store, null)).toBe(1);
  }
});

test('a fork of a fork, and a line with final figures in a copy, lead to the first session too', async () => {
  const { add, bySession } = await openStore();
  const second = fork({ sessionId: 'second', created: at + 90_000 });
  add(second);
  add(fork({ output: 25 }));
  add(message({}));
  expect(bySession()).toEqual({ original: 25 });
});

test('a transcript of a subagent, which is younger, does not make its session younger', async () => {
  const { add, bySession } = await openStore();
  add(message({ id: 'msg_sub', created: at + 120_000 }));
  add(fork());
  add(message({}));
  expect(bySession()).toEqual({ original: 40 });
});

test('the totals by day and model stay equal to the days of all sessions', async () => {
  const { store, add } = await openStore();
  const day = 86_400_000;
  const totals = () =>
    store.db
      .prepare(
        `SELECT (SELECT count(*) FROM total WHERE messages = 0) AS empty, (SELECT sum(output * day) FROM total) AS totals,
          (SELECT sum(output * day) FROM day) AS days, (SELECT count(*) FROM total) AS rows`,
      )
      .get() as { empty: number; totals: number | null; days: number | null; rows: number };
  const same = (rows: number) => {
    const seen = totals();
    expect(seen).toEqual({ empty: 0, totals: seen.days, days: seen.days, rows });
  };
  add(fork(), fork({ id: 'msg_2', at: at + day, model: 'claude-haiku-4-5' }));
  same(2);
  add(message({ output: 50 }), message({ id: 'msg_3', at: at - 3 * day }));
  same(3);
  store.forget({ id: 'fork' }, at + 2 * day);
  same(2);
  store.retain(at - day);
  same(1);
  store.forget({ all: true }, at + 5 * day);
  same(0);
  expect(totals().totals).toBeNull();
});
