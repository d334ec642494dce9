import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bills } from './usage-report.ts';
import { UsageStore } from './usage-store.ts';
import type { UsageBill, UsageMessage } from './usage-sums.ts';
import { aUsageMessage } from '../../testing/usage-message.ts';

const at = new Date(2026, 10, 16, 12).getTime();

const openStore = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'db-'));
  const open = () => UsageStore.open(join(dir, 'usage.db'));
  const store = await open();
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const names = () =>
    new Map(
      (store.db.prepare('SELECT id, session FROM session').all() as { id: number; session: string }[]).map(
        ({ id, session }) => [id, session],
      ),
    );
  const billed = () =>
    Object.fromEntries(
      bills(store, null, null).map(({ session, model, cost }) => [
        `${names().get(session)}${model && ' by model'}`,
        Math.round(cost * 1e6) / 1e6,
      ]),
    );
  let now = at;
  const says = (pid: number | null, sessionId: string, cost: number) =>
    store.addCostReport({ sessionId, at: ++now, pid, cost });
  const bill = (sessionId: string, cost: number) =>
    store.addBill({ ...noTokens, sessionId, at: ++now, model: 'claude-opus-5-5', cost });
  return { store, open, billed, says, bill };
};

const noTokens: Omit<UsageBill, 'sessionId' | 'at' | 'model' | 'cost'> = {
  input: 0,
  output: 0,
  cacheWrite: 0,
  cacheRead: 0,
};

const message = (change: Partial<UsageMessage>): UsageMessage =>
  aUsageMessage(at, { sessionId: 'a', ...change });

test('2.1.197 counts for each process: /clear continues, a resume starts again or where the project ended', async () => {
  const { says, billed } = await openStore();
  says(913, 'a', 0);
  says(913, 'a', 0.0095);
  says(913, 'a', 0.01915);
  // After /clear.
  says(913, 'b', 0.01915);
  says(913, 'b', 0.029285);
  expect(billed()).toEqual({ a: 0.01915, b: 0.010135 });
  // Resumed, while another session was the last of the project.
  says(2380, 'a', 0);
  says(2380, 'a', 0.009775);
  expect(billed()).toEqual({ a: 0.028925, b: 0.010135 });
  // Resumed as the last one: a status line that is the same as the one before is not sent.
  says(3476, 'a', 0.019675);
  expect(billed()).toEqual({ a: 0.038825, b: 0.010135 });
  says(6522, 'b', 0);
  says(6522, 'b', 0.01218);
  expect(billed()).toEqual({ a: 0.038825, b: 0.022315 });
});

test('2.1.325 counts for each session, in whatever process it is', async () => {
  const { says, billed, bill } = await openStore();
  says(7734, 'a', 0);
  says(7734, 'a', 0.023264);
  // After /clear, which writes the bill of the first.
  says(7734, 'b', 0);
  says(7734, 'b', 0.012064);
  bill('a', 0.023264);
  bill('b', 0.012064);
  expect(billed()).toEqual({ 'a by model': 0.023264, 'b by model': 0.012064 });
  // A total is newer than the bill by model only while the session runs.
  says(9935, 'a', 0.023264);
  expect(billed()).toMatchObject({ 'a by model': 0.023264 });
  says(9935, 'a', 0.035044);
  expect(billed()).toEqual({ a: 0.035044, 'b by model': 0.012064 });
  bill('a', 0.035044);
  // It arrives late.
  says(9935, 'a', 0.035044);
  expect(billed()).toEqual({ 'a by model': 0.035044, 'b by model': 0.012064 });
  // `-p` has no status line.
  bill('a', 0.060132);
  says(11_409, 'a', 0.060132);
  says(11_409, 'a', 0.07548);
  expect(billed()).toMatchObject({ a: 0.07548 });
});

test('a session that was resumed by /resume inside another one continues with its own cost', async () => {
  const { says, billed } = await openStore();
  for (const [session, cost] of [
    ['a', 0.02],
    ['b', 0],
    ['b', 0.012],
    ['a', 0.03],
  ] as const)
    says(5, session, cost);
  expect(billed()).toEqual({ a: 0.03, b: 0.012 });
});

test('the status line is registered while a session runs, or its process is not known', async () => {
  const { says, billed } = await openStore();
  says(7, 'a', 0.4);
  says(7, 'a', 0.5);
  says(null, 'c', 0.1);
  says(null, 'c', 0.3);
  expect(billed()).toEqual({ a: 0.5, c: 0.3 });
});

test('nothing is known about the bill of a fork, nor of a session of which something was forgotten', async () => {
  const { store, says, billed, bill } = await openStore();
  says(1, 'a', 0.1);
  bill('fork', 0.15);
  expect(billed()).toEqual({ a: 0.1, 'fork by model': 0.15 });
  store.add('fork.jsonl', 1, [message({ sessionId: 'fork', created: at })], []);
  store.add('a.jsonl', 1, [message({})], []);
  expect(billed()).toEqual({ a: 0.1 });
  store.forget({ before: at + 1 }, at + 60_000);
  expect(billed()).toEqual({});
  says(1, 'a', 0.2);
  expect(billed()).toEqual({});
  says(2, 'b', 0.1);
  store.forget({ id: 'b' }, at + 60_000);
  says(2, 'b', 0.2);
  expect(billed()).toEqual({});
});

test('a database of an earlier version is read again: its totals are dropped, and its forks are found', async () => {
  const { store, open } = await openStore();
  const lines = { 'a.jsonl': message({}), 'fork.jsonl': message({ sessionId: 'fork', created: at }) };
  const read = (one: UsageStore) => {
    for (const [path, line] of Object.entries(lines)) one.add(path, 10, [line], []);
  };
  read(store);
  store.addCostReport({ sessionId: 'fork', at, pid: 1, cost: 0.2 });
  store.addBill({ ...noTokens, sessionId: 'a', at, model: 'claude-opus-5-5', cost: 0.1 });
  store.db.exec('ALTER TABLE session DROP COLUMN isFork; DROP TABLE costReport; PRAGMA user_version = 2');
  const later = await open();
  onTestFinished(() => later.close());
  expect(later.files().map(({ read: bytes }) => bytes)).toEqual([0, 0]);
  const costs = () => bills(later, null, null).map(({ cost }) => cost);
  expect(costs()).toEqual([0.1]);
  read(later);
  later.addBill({ ...noTokens, sessionId: 'fork', at, model: 'claude-opus-5-5', cost: 0.3 });
  expect(costs()).toEqual([0.1]);
});
