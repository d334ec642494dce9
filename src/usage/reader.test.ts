import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Price } from '../contract/usage.ts';
import { UsageStore } from '../store/usage/usage-store.ts';
import { lines197, lines197Subagent, lines325, lines325Subagent } from '../testing/usage-lines.ts';
import { UsageReader } from './reader.ts';
import { reportOf } from './report.ts';
import type { UsageQuery } from '../contract/usage.ts';

const session = '80e366e0-0d6b-487f-b3d6-743c0c1fd235';
const everything: UsageQuery = { by: 'model', split: null, since: null };

const setUp = async (files: Record<string, string[]>) => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  const pathOf = (name: string) => join(dir, 'projects', '-home-me-shop', name);
  const write = (name: string, lines: string[], add = false) => {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    (add ? appendFileSync : writeFileSync)(pathOf(name), lines.map(line => `${line}\n`).join(''));
  };
  for (const [name, lines] of Object.entries(files)) write(name, lines);
  const open = async () => {
    const store = await UsageStore.open(join(dir, 'usage.db'));
    const errors: unknown[] = [];
    const reader = new UsageReader(store, (_, error) => errors.push(error));
    return { store, reader, errors };
  };
  const { store, reader, errors } = await open();
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const read = () => {
    reader.scan([dir]);
    let steps = 0;
    while (reader.step()) steps++;
    expect(errors).toEqual([]);
    return steps;
  };
  let prices = {};
  const setPrices = (wanted: Record<string, Price>) => (prices = wanted);
  const report = (query: Partial<UsageQuery> = {}) => reportOf(store, { ...everything, ...query }, prices);
  return { dir, pathOf, write, store, reader, read, report, setPrices };
};

const real = {
  '80e366e0-0d6b-487f-b3d6-743c0c1fd235.jsonl': lines197,
  '80e366e0-0d6b-487f-b3d6-743c0c1fd235/subagents/agent-a040cfd061c6c1a3a.jsonl': lines197Subagent,
  '97430978-e1b6-43ab-94ea-764d5761eff9.jsonl': lines325,
  '97430978-e1b6-43ab-94ea-764d5761eff9/subagents/agent-ac69d4f85c2d19b90.jsonl': lines325Subagent,
};

const only197 = Object.fromEntries(Object.entries(real).filter(([name]) => name.startsWith(session)));

/** A line with other values, as a message is written again while it streams. */
interface Line {
  sessionId: string;
  uuid: string;
  isApiErrorMessage?: boolean;
  forkedFrom?: object;
  message: { id: string; model: string; usage: Record<string, unknown> };
}

const changed = (line: string, change: (fields: Line) => void): string => {
  const fields = JSON.parse(line) as Line;
  change(fields);
  return JSON.stringify(fields);
};

test('counts each message of real transcripts once, with subagents, and finds what the bill has beyond them', async () => {
  const { read, report } = await setUp(real);
  read();
  const { rows, total, unrecorded } = report();
  expect(rows.map(({ name, messages, input, output }) => ({ name, messages, input, output }))).toEqual([
    { name: 'claude-opus-5-5', messages: 7, input: 21_008, output: 140 },
    { name: 'claude-opus-4-8', messages: 6, input: 9_992, output: 120 },
  ]);
  expect(total.cost).toBeCloseTo((21_008 * 4 + 140 * 20 + 9_992 * 5 + 120 * 25) / 1e6, 12);
  // Two requests, a compaction among them, are in no transcript.
  expect(unrecorded).toMatchObject({ sessions: 1, unknownSessions: 1, input: 31_687 - 21_008, output: 40 });
  expect(unrecorded.cost).toBeCloseTo(0.130348 - (21_008 * 4 + 140 * 20) / 1e6, 9);
  expect(report({ by: 'session' }).rows.map(({ name, project }) => [name, project])).toEqual([
    ['97430978-e1b6-43ab-94ea-764d5761eff9', '/home/me/shop'],
    [session, '/home/me/shop'],
  ]);
  expect(report({ by: 'project' }).rows).toMatchObject([{ name: '/home/me/shop', messages: 13 }]);
});

test('takes the final figures of a message that was written several times', async () => {
  const last = lines197.findLast(line => line.includes('"assistant"')) as string;
  const early = changed(last, ({ message }) => (message.usage.output_tokens = 1));
  const { read, report, write } = await setUp({ 'a.jsonl': [early, last] });
  read();
  expect(report().total).toMatchObject({ messages: 1, output: 20 });
  // The rest of it comes later, and an early line again, from a copy.
  const more = changed(last, ({ message }) => (message.usage.output_tokens = 50));
  write('a.jsonl', [more], true);
  write('b.jsonl', [early]);
  read();
  expect(report().total).toMatchObject({ messages: 1, input: 1_007, output: 50 });
  expect(report({ by: 'day' }).rows).toMatchObject([{ messages: 1, output: 50 }]);
});

test('a message that a fork copied belongs to the session that asked for it, in either order', async () => {
  const [first] = lines325.filter(line => line.includes('"assistant"')) as [string];
  const copy = changed(first, fields => {
    fields.sessionId = 'fork';
    fields.forkedFrom = { sessionId: fields.sessionId, messageUuid: fields.uuid };
  });
  const { read, report, write } = await setUp({ 'fork.jsonl': [copy] });
  read();
  expect(report({ by: 'session' }).rows).toMatchObject([{ name: 'fork', messages: 1 }]);
  write('original.jsonl', [first]);
  read();
  const { rows } = report({ by: 'session' });
  expect(rows).toMatchObject([{ name: '97430978-e1b6-43ab-94ea-764d5761eff9', messages: 1 }]);
  write('fork.jsonl', [copy], true);
  read();
  expect(report({ by: 'session' }).rows).toEqual(rows);
});

test('reads only what was added, waits for the rest of a line, and reads a file again that became shorter', async () => {
  const { read, report, write, pathOf, reader } = await setUp({ 'a.jsonl': lines197.slice(0, 3) });
  expect(read()).toBe(1);
  expect(read()).toBe(0);
  const [half, rest] = [lines197[3]?.slice(0, 100), lines197[3]?.slice(100)];
  appendFileSync(pathOf('a.jsonl'), half as string);
  const before = report().total.messages;
  read();
  reader.check([pathOf('a.jsonl')]);
  expect(reader.step()).toBeNull();
  expect(report().total.messages).toBe(before);
  appendFileSync(pathOf('a.jsonl'), `${rest}\n`);
  reader.check([pathOf('a.jsonl')]);
  while (reader.step());
  expect(report().total.messages).toBe(before + 1);
  write('a.jsonl', lines325.slice(0, 1));
  read();
  expect(report().rows).toHaveLength(2);
});

test('cache writes are distinguished, an error or a damaged line counts nothing, an unknown model has no price', async () => {
  const line = lines325.find(one => one.includes('"assistant"')) as string;
  const cached = changed(line, ({ message }) => {
    message.id = 'msg_cached';
    message.model = 'claude-unknown-9';
    message.usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 7,
      cache_creation: { ephemeral_1h_input_tokens: 60, ephemeral_5m_input_tokens: 40 },
    };
  });
  const lines = [
    cached,
    changed(line, fields => (fields.isApiErrorMessage = true)),
    changed(line, ({ message }) => (message.model = '<synthetic>')),
    changed(line, ({ message }) => (message.usage = { output_tokens: 'many', input_tokens: -5 })),
    '{"type":"assistant","message":{"usage":{"output_tokens"',
    '"output_tokens"',
  ];
  const { read, report } = await setUp({ 'a.jsonl': lines });
  read();
  expect(report().rows).toMatchObject([
    { name: 'claude-opus-5-5', input: 0, output: 0, cost: 0 },
    {
      name: 'claude-unknown-9',
      input: 1,
      output: 2,
      cacheWrite5m: 40,
      cacheWrite1h: 60,
      cacheRead: 7,
      cost: null,
      unpriced: ['claude-unknown-9'],
    },
  ]);
});

test('forgets a session, a time and everything, and does not count them again', async () => {
  const { read, report, store, write, pathOf } = await setUp(real);
  read();
  store.forget({ id: session }, Date.now());
  expect(report({ by: 'session' }).rows).toHaveLength(1);
  // A rewritten file is read from the beginning.
  write(`${session}.jsonl`, lines197.slice(0, 2));
  read();
  expect(report({ by: 'session' }).rows).toHaveLength(1);
  const later = JSON.stringify({
    ...JSON.parse(lines197[1] as string),
    timestamp: '2099-01-01T00:00:00.000Z',
  });
  appendFileSync(pathOf(`${session}.jsonl`), `${later.replace('msg_', 'msg_later')}\n`);
  read();
  expect(report({ by: 'session' }).rows.find(({ name }) => name === session)).toMatchObject({ messages: 1 });
  store.forget({ before: Date.now() }, Date.now());
  expect(report().total.messages).toBe(1);
  expect(report().unrecorded).toMatchObject({ sessions: 0 });
  store.forget({ all: true }, Date.parse('2100-01-01'));
  expect(report().total.messages).toBe(0);
  expect(report({ by: 'day' }).rows).toEqual([]);
});

test('a part of a day counts its messages, a whole day its sum', async () => {
  const { read, report } = await setUp(real);
  read();
  const times = [...lines197, ...lines197Subagent]
    .filter(line => line.includes('"assistant"'))
    .map(line => Date.parse((JSON.parse(line) as { timestamp: string }).timestamp));
  const latest = Math.max(...times);
  expect(report({ since: latest + 1 }).rows.map(({ name }) => name)).toEqual(['claude-opus-5-5']);
  expect(report({ since: latest }).rows).toMatchObject([{ messages: 7 }, { messages: 1, input: 1_007 }]);
  const day = new Date(latest);
  const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  expect(report({ since: midnight }).total).toEqual(report().total);
});

test('a total of the status line counts where it has more than the transcripts, at the prices of Claude Code', async () => {
  const { read, report, store, setPrices } = await setUp(only197);
  read();
  const ownCost = (9_992 * 5 + 120 * 25) / 1e6;
  const at = Date.parse('2026-11-18T00:00:00Z');
  const reportCost = (cost: number) => store.addCostReport({ sessionId: session, at, pid: 7, cost });
  reportCost(ownCost / 2);
  // A part of the cost: the session was running before the status line was registered.
  expect(report().unrecorded).toMatchObject({ sessions: 0, unknownSessions: 1, cost: 0 });
  reportCost(ownCost + 0.01);
  expect(report().unrecorded).toMatchObject({ sessions: 1, unknownSessions: 0, input: null });
  expect(report().unrecorded.cost).toBeCloseTo(0.01, 9);
  // Prices of the config are not those of the bill.
  setPrices({ 'claude-opus-4-8': { input: 1, output: 1 } });
  expect(report().unrecorded.cost).toBeCloseTo(0.01, 9);
});

test('nothing is known of the rest where a model has no price', async () => {
  const unknown = real[`${session}.jsonl`].map(line => line.replaceAll('claude-opus-4-8', 'claude-later-9'));
  const { read, report, store } = await setUp({ [`${session}.jsonl`]: unknown });
  read();
  store.addCostReport({ sessionId: session, at: Date.parse('2026-11-18T00:00:00Z'), pid: 7, cost: 3 });
  expect(report().unrecorded).toMatchObject({ sessions: 0, unknownSessions: 1, cost: 0 });
});
