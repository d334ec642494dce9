import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Indexer } from './indexer.ts';

const id = (n: number) => `5eed000${n}-0000-4000-8000-000000000000`;

const setUp = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'dr-'));
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(dir, { recursive: true });
  });
  const folder = join(dir, 'projects', '-w-app');
  mkdirSync(folder, { recursive: true });
  const line = (type: string, content: unknown) =>
    `${JSON.stringify({ type, message: { role: type, content } })}\n`;
  const file = (n: number) => join(folder, `${id(n)}.jsonl`);
  const writeLine = (n: number, type: string, content: unknown) =>
    appendFileSync(file(n), line(type, content));
  const db = join(dir, 'search.db');
  const errors: unknown[] = [];
  const indexer = new Indexer(
    db,
    () => [dir],
    { now: () => Date.now() },
    (message, error) => errors.push([message, error]),
  );
  onTestFinished(() => {
    indexer.close();
    expect(errors).toEqual([]);
  });
  const settle = () => vi.advanceTimersByTimeAsync(120_000);
  const finds = (query: string) => indexer.find(query, 10)?.map(({ session }) => Number(session[7]));
  return { dir, db, indexer, writeLine, file, settle, finds };
};

test('is off by default; then finds prompts and answers, also later ones, but no tool output', async () => {
  const { db, indexer, writeLine, settle, finds } = await setUp();
  writeLine(1, 'user', 'Mend the garden gate, bitte schön');
  writeLine(1, 'assistant', [{ type: 'text', text: 'The hinge was rusty.' }]);
  writeLine(1, 'user', [{ type: 'tool_result', content: 'noise from tools' }]);
  writeLine(2, 'user', 'gate of the park');
  await indexer.start();
  await settle();
  expect(finds('gate')).toBeUndefined();
  expect(existsSync(db)).toBe(false);

  await indexer.turnOn();
  await settle();
  expect(indexer.status()).toEqual({ on: true, transcripts: 2, indexed: 2 });
  expect(finds('gate')?.sort()).toEqual([1, 2]);
  expect(finds('garden gate')).toEqual([1]);
  expect(finds('"the garden"')).toEqual([1]);
  expect(finds('"gate garden"')).toEqual([]);
  expect(finds('SCHON')).toEqual([1]);
  expect(finds('rus')).toEqual([]);
  expect(finds('rus* the')).toEqual([1]);
  expect(finds('noise')).toEqual([]);
  expect(finds('" * OR (')).toEqual([]);
  expect(indexer.find('hinge', 10)?.[0]?.text).toBe('The hinge was rusty.');
  writeLine(2, 'assistant', [{ type: 'text', text: 'A turnstile would do.' }]);
  await settle();
  expect(finds('turnstile')).toEqual([2]);
});

test('removes rows with their transcript, keeps forgotten sessions out, and deletes the file when turned off', async () => {
  const { db, dir, indexer, writeLine, file, settle, finds } = await setUp();
  for (const n of [1, 2, 3]) writeLine(n, 'user', `zebra crossing ${n}`);
  await indexer.turnOn();
  await settle();
  expect(finds('zebra')?.sort()).toEqual([1, 2, 3]);
  rmSync(file(1));
  await settle();
  expect(finds('zebra')?.sort()).toEqual([2, 3]);
  indexer.forget(session => session === id(2));
  expect(finds('zebra')).toEqual([3]);
  writeLine(2, 'user', 'zebra again');
  await settle();
  expect(finds('zebra')).toEqual([3]);
  // Rewritten, and shorter than before.
  writeFileSync(file(3), '');
  writeLine(3, 'user', 'okapi');
  await settle();
  expect(finds('zebra')).toEqual([]);
  expect(finds('okapi')).toEqual([3]);
  indexer.forget(() => true);
  for (const name of ['search.db', 'search.db-wal'])
    if (existsSync(join(dir, name))) expect(readFileSync(join(dir, name)).includes('okapi')).toBe(false);
  indexer.turnOff();
  expect(existsSync(db)).toBe(false);
  expect(finds('okapi')).toBeUndefined();
});

test('waits while the daemon is busy, and reads lines longer than a chunk', async () => {
  const { indexer, writeLine, finds } = await setUp();
  writeLine(1, 'assistant', [{ type: 'text', text: `${'long '.repeat(200_000)}needle` }]);
  writeLine(1, 'user', 'after it');
  await indexer.turnOn();
  for (let n = 0; n < 10; n++) {
    indexer.postpone();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(finds('needle')).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(finds('needle')).toEqual([1]);
  expect(finds('after')).toEqual([1]);
});
