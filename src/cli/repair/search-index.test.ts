import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathsAt } from '../../paths.ts';
import { openDatabase } from '../../store/sqlite.ts';
import { takeLock } from '../../store/lock.ts';
import { SearchIndex } from '../../store/search.ts';
import { searchIndexRepairs } from './search-index.ts';

test('an intact index is left alone, a damaged one is replaced by an empty one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const paths = pathsAt(home);
  expect(await searchIndexRepairs(paths)).toEqual([]);
  const search = await SearchIndex.open(paths.search);
  search.add(search.docOf('s', '/t'), ['a gate'], 9);
  search.close();
  expect(await searchIndexRepairs(paths)).toEqual([]);
  // What the write-ahead log still has, SQLite can read.
  rmSync(`${paths.search}-wal`, { force: true });
  writeFileSync(
    paths.search,
    'not a database, and long enough to be taken for the header of one '.repeat(99),
  );
  const [repair] = await searchIndexRepairs(paths);
  expect(repair?.says).toContain('damaged');
  // A daemon that does not answer keeps its index.
  const lock = await takeLock(paths.lock);
  await expect(repair?.run()).rejects.toThrow('not running');
  lock?.release();
  expect(await searchIndexRepairs(paths)).toHaveLength(1);
  await repair?.run();
  expect(await searchIndexRepairs(paths)).toEqual([]);
  const again = await SearchIndex.open(paths.search);
  expect(again.docs()).toEqual([]);
  again.close();
});

test('a damaged page is named in one line', async () => {
  const home = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const paths = pathsAt(home);
  const search = await SearchIndex.open(paths.search);
  search.add(search.docOf('s', '/t'), ['a gate'], 9);
  search.close();
  // All pages into the file itself, and none into the write-ahead log.
  const db = await openDatabase(paths.search);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = readFileSync(paths.search);
  bytes.fill('X', 4096 * 6, 4096 * 7);
  writeFileSync(paths.search, bytes);
  const [repair] = await searchIndexRepairs(paths);
  expect(repair?.says).toMatch(/^the search index is damaged: .*page.*$/);
});
