/** A home written by any earlier schema version opens. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { schemaVersion } from './migrations.ts';
import { openDatabase } from './sqlite.ts';

const folder = new URL('../../test/homes/', import.meta.url);
const files = readdirSync(folder).filter(name => name.endsWith('.gz'));
const [a, b] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];

const tablesOf = async (file: string): Promise<string[]> => {
  const db = await openDatabase(file);
  const rows = db.prepare('SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY type, name').all();
  db.close();
  return (rows as { sql: string }[]).map(({ sql }) => sql.replaceAll(/\s+/g, ' '));
};

test('there is a home of every earlier version', () => {
  const versions = new Set(files.map(name => Number(/^v(\d+)/.exec(name)?.[1])));
  const earlier = Array.from({ length: schemaVersion - 1 }, (_, n) => n + 1);
  expect([...versions]).toEqual(expect.arrayContaining(earlier));
});

test.each(files)('the home %s opens with everything it contained, and continues', async name => {
  const paths = tempHome();
  writeFileSync(paths.db, gunzipSync(readFileSync(new URL(name, folder))));
  const { loop, events, store, errors, close } = await openPipeline(paths);
  expect(
    events()
      .filter(({ source }) => source === 'hook')
      .map(event => event.name),
  ).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'Stop',
    'SessionStart',
    'UserPromptSubmit',
    'SessionEnd',
  ]);
  expect(loop.sessionIndex.get(a)).toMatchObject({ project: 'demo', memory: { end: { kind: 'stopped' } } });
  expect(loop.sessionIndex.get(b)).toMatchObject({ state: 'ended' });
  expect(store.log.sessionsOver(-1, -1).map(({ events: count }) => count)).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { session_id: a, prompt: 'go on' }) }]);
  expect(loop.sessionIndex.get(a)?.state).toBe('working');
  expect(errors).toEqual([]);
  await close();
  const fresh = await openPipeline();
  await fresh.close();
  expect(await tablesOf(paths.db)).toEqual(await tablesOf(fresh.paths.db));
});
