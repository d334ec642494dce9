import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Folded } from '../session/memory.ts';
import { emit } from '../testing/emit.ts';
import { tempHome } from '../testing/home.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { listDamaged, moveAside, removeDamaged } from './damaged.ts';
import { takeLock } from './lock.ts';
import { SearchIndex } from './search.ts';
import { openDatabase } from './sqlite.ts';

/** Moves everything into the file itself: the journal would repair it. */
const checkpoint = async (file: string) => {
  const db = await openDatabase(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
};

const garbage = (file: string) =>
  writeFileSync(file, Buffer.alloc(statSync(file).size, 'not a database '), { flag: 'r+' });

/** Overwrites the pages after the first one: SQLite opens the file and detects that later. */
const hollow = (file: string) => {
  const bytes = readFileSync(file);
  bytes.fill(0xee, 4096);
  writeFileSync(file, bytes);
};

test.each([
  ['is not a database', garbage],
  ['has lost its pages', hollow],
  ['ends in the middle of a page', (file: string) => truncateSync(file, 5_000)],
])('a drover.db that %s is moved aside, and no spooled event is lost', async (_, damage) => {
  const first = await openPipeline();
  for (let n = 0; n < 50; n++)
    await first.loop.append([{ draft: hookDraft('UserPromptSubmit', { prompt: 'x'.repeat(2_000), n }) }]);
  await first.close();
  await checkpoint(first.paths.db);
  damage(first.paths.db);
  const broken = readFileSync(first.paths.db);
  await emit(first.paths, 'Stop', '{"hook_event_name":"Stop","session_id":"s1"}');
  const second = await openPipeline(first.paths);
  await second.receive.scan();
  expect(second.events().map(({ name }) => name)).toContain('Stop');
  expect(second.loop.sessionIndex.get('s1')).toBeDefined();
  const [moved] = listDamaged(first.paths.damaged);
  expect(readFileSync(moved?.path ?? '').equals(broken)).toBe(true);
  expect(second.errors.join()).toContain('was damaged. It was moved to');
  // Readers know numbers of the old one.
  expect(second.events()[0]?.seq).toBeGreaterThan(50);
  await second.close();
  const third = await openPipeline(first.paths);
  expect(third.events().map(({ name }) => name)).toContain('Stop');
  expect(listDamaged(first.paths.damaged)).toHaveLength(1);
});

test('a database that is damaged while it is used is replaced, and every session keeps its state', async () => {
  const { loop, store, paths, events, close } = await openPipeline();
  for (let n = 0; n < 30; n++)
    await loop.append([
      { draft: hookDraft('UserPromptSubmit', { session_id: `s${n}`, p: 'x'.repeat(9_000) }) },
    ]);
  const sorted = (all: Folded[]) =>
    all.filter(({ id }) => id !== 'new').sort((a, b) => (a.id < b.id ? -1 : 1));
  const before = sorted(loop.sessionIndex.all());
  const last = store.log.lastSeq();
  await checkpoint(paths.db);
  hollow(paths.db);
  expect(() => store.log.read({ after: 0, rows: 1_000 })).toThrow('malformed');
  expect(listDamaged(paths.damaged)).toHaveLength(1);
  await loop.append([{ draft: hookDraft('Stop', { session_id: 'new' }) }]);
  expect(events().map(({ name }) => name)).toEqual([...before.map(() => 'Snapshot'), 'Stop']);
  expect(events()[0]?.seq).toBe(last + 1);
  await close();
  const again = await openPipeline(paths);
  expect(sorted(again.loop.sessionIndex.all())).toEqual(before);
});

test('a batch that finds the damage is kept in the new database', async () => {
  const { loop, paths, events } = await openPipeline();
  for (let n = 0; n < 30; n++)
    await loop.append([{ draft: hookDraft('UserPromptSubmit', { session_id: 's', p: 'x'.repeat(9_000) }) }]);
  await checkpoint(paths.db);
  garbage(paths.db);
  for (let n = 0; n < 30; n++)
    await loop.append([{ draft: hookDraft('Stop', { session_id: `t${n}`, p: 'x'.repeat(9_000) }) }]);
  expect(events().filter(({ name }) => name === 'Stop')).toHaveLength(30);
});

test('a damaged search.db is moved aside and filled anew', async () => {
  const { search: file, damaged } = tempHome();
  const first = await SearchIndex.open(file);
  first.add(first.docOf('s', '/t.jsonl'), ['some words'], 10);
  first.close();
  await checkpoint(file);
  garbage(file);
  const errors: string[] = [];
  const second = await SearchIndex.open(file, message => errors.push(message));
  expect(second.docs()).toEqual([]);
  second.add(second.docOf('s', '/t.jsonl'), ['other words'], 10);
  expect(second.find('other', 5)).toHaveLength(1);
  expect(errors[0]).toContain('was damaged');
  expect(listDamaged(damaged)).toHaveLength(1);
  second.close();
});

test('a lock file that holds something else keeps no daemon from starting', async () => {
  const { lock } = tempHome();
  writeFileSync(lock, 'not a database '.repeat(500));
  const held = await takeLock(lock);
  expect(held).not.toBeNull();
  held?.release();
});

test('of each database the newest two that were damaged are kept, until something is forgotten', () => {
  const { db, search, damaged } = tempHome();
  for (let n = 1; n < 5; n++)
    for (const file of [db, search]) {
      for (const ending of ['', '-wal']) writeFileSync(file + ending, 'x');
      moveAside(file, n);
    }
  expect(listDamaged(damaged).map(({ at }) => at)).toEqual([3, 3, 4, 4]);
  removeDamaged(damaged);
  expect(readdirSync(damaged)).toEqual([]);
});
