import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { takeLock } from './lock.ts';
import { schemaVersion } from './migrations.ts';
import { openDatabase } from './sqlite.ts';
import { Store } from './store.ts';

test('a payload comes back byte for byte, whatever it holds', async () => {
  const store = await Store.open(tempHome().db);
  const raw = Buffer.from([0, 1, 0xff, 0x0d, 0x0a, 0x7b]);
  store.write(() => store.log.append({ ...hookDraft('Stop'), raw }, 5));
  const [event] = store.log.read({ after: 0, rows: 10 });
  expect(Buffer.from(event?.raw ?? []).equals(raw)).toBe(true);
  store.close();
});

test('a sequence number is never reused, even if the newest row is gone', async () => {
  const store = await Store.open(tempHome().db);
  const add = () => store.write(() => store.log.append(hookDraft('Stop'), 1).seq);
  expect([add(), add()]).toEqual([1, 2]);
  store.erase(() => store.log.removeOf(String(hookDraft('Stop').sessionId)));
  expect(store.log.lastSeq()).toBe(2);
  expect(add()).toBe(3);
  store.close();
});

test('the database is private and of this version', async () => {
  const { db } = tempHome();
  (await Store.open(db)).close();
  expect(statSync(db).mode & 0o777).toBe(0o600);
  const raw = await openDatabase(db);
  expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: schemaVersion });
  raw.close();
});

test('a database of a newer version is rejected and not changed', async () => {
  const { db } = tempHome();
  const newer = await openDatabase(db);
  newer.exec(`CREATE TABLE later (x); PRAGMA user_version = ${schemaVersion + 1}`);
  newer.close();
  const before = readFileSync(db);
  await expect(Store.open(db)).rejects.toMatchObject({ code: 'newer_database' });
  expect(readFileSync(db).equals(before)).toBe(true);
});

test('what was erased is not on disk any more', async () => {
  const { db } = tempHome();
  const store = await Store.open(db);
  store.write(() => store.log.append(hookDraft('UserPromptSubmit', { prompt: 'a-very-secret-prompt' }), 1));
  store.erase(() => store.log.removeOf(String(hookDraft('Stop').sessionId)));
  for (const file of [db, `${db}-wal`])
    expect(readFileSync(file).includes('a-very-secret-prompt')).toBe(false);
  store.close();
});

test('the lock is held by one process and released by the kernel when it dies', async () => {
  const { lock } = tempHome();
  const script = `const { DatabaseSync } = process.getBuiltinModule?.('node:sqlite') ?? require('@photostructure/sqlite');
    const db = new DatabaseSync(${JSON.stringify(lock)});
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000);`;
  const child = execFile(process.execPath, ['--no-warnings', '-e', script]);
  await new Promise(done => child.stdout?.once('data', done));
  expect(await takeLock(lock)).toBeNull();
  const gone = new Promise(done => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
  const held = await takeLock(lock);
  expect(held).not.toBeNull();
  held?.release();
});
