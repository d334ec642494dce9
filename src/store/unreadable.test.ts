/** Whatever the database contains, it opens; unreadable rows are skipped and counted. */
import { expect, test } from 'vitest';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { openDatabase } from './sqlite.ts';

const id = String(hookDraft('Stop').sessionId);

/** A home with one session in it, after `damage` has changed its database behind Drover's back. */
const homeAfter = async (...damage: string[]) => {
  const first = await openPipeline();
  await first.loop.append([
    { draft: hookDraft('SessionStart') },
    { draft: hookDraft('UserPromptSubmit', { prompt: 'go' }) },
    { draft: hookDraft('Stop') },
  ]);
  await first.close();
  const db = await openDatabase(first.paths.db);
  for (const sql of damage) db.exec(sql);
  db.close();
  return openPipeline(first.paths);
};

test.each([1.8e18, Number.POSITIVE_INFINITY, Number.NaN, -5, 1e300])(
  'an event whose source says that it happened at %d is kept with the time of its arrival',
  async at => {
    const first = await openPipeline();
    const before = Date.now();
    await first.loop.append([
      { draft: { ...hookDraft('FileStatus', { status: 'busy', startedAt: at }), source: 'file', at } },
    ]);
    const [session] = first.loop.sessionIndex.all();
    expect(first.events()[0]?.at).toBeGreaterThanOrEqual(before);
    expect(session?.touched).toBeLessThanOrEqual(Date.now());
    expect(session?.since).toBeLessThanOrEqual(Date.now());
    await first.close();
    const second = await openPipeline(first.paths);
    expect(second.loop.sessionIndex.all()).toEqual([session]);
  },
);

test('a database with impossible times from an earlier version opens', async () => {
  const { events, store, loop } = await homeAfter(
    'UPDATE event SET at = 1800000000000000000 WHERE seq = 2',
    `INSERT INTO wait VALUES ('${id}', 1800000000000000000, 1800000000000000001, 'stopped', NULL, 1)`,
    `INSERT INTO span VALUES ('${id}', 5, 1800000000000000001, 'working', NULL, NULL)`,
    "UPDATE tally SET value = 0 WHERE name = 'folded'",
    'INSERT INTO taken VALUES (1, 1800000000000000000)',
  );
  expect(events().map(({ at, seen }) => at <= seen)).toEqual([true, true, true]);
  expect(loop.sessionIndex.get(id)?.since).toBeLessThanOrEqual(Date.now());
  expect(store.waits.read(0)).toEqual([]);
  expect(store.spans.read(0).every(({ until }) => until <= Date.now())).toBe(true);
  expect(store.log.takenKeys()).toHaveLength(1);
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { prompt: 'go on' }) }]);
  expect(loop.sessionIndex.get(id)?.state).toBe('working');
});

test('rows that cannot be read are left out, counted once, and named in the log', async () => {
  const { events, store, errors } = await homeAfter(
    "UPDATE event SET context = '{half' WHERE seq = 2",
    "INSERT INTO message VALUES ('m', 's', NULL, 1, 1, 'null')",
    "INSERT INTO wake VALUES ('w', 'a', 's', 'k', 'y', 1, 1, '[]')",
    "INSERT INTO wake VALUES ('x', 'a', 's', 'k', 'z', 1, 0, '{half')",
    `INSERT INTO span VALUES ('${id}', 5, ${Date.now()}, x'00', NULL, NULL)`,
  );
  expect(events().map(({ seq }) => seq)).toEqual([1, 3]);
  expect(store.receipts.open()).toEqual([]);
  expect(store.wakes.open()).toEqual([]);
  expect([...store.wakes.undelivered()]).toEqual([]);
  expect(store.spans.read(0).map(({ since }) => since)).not.toContain(5);
  expect(store.unreadable.count).toBe(4);
  events();
  expect(store.unreadable.count).toBe(4);
  expect(errors.filter(error => error.includes('event 2'))).toHaveLength(1);
});

test('a page of rows that cannot be read is not the end of the log', async () => {
  const { store } = await homeAfter("UPDATE event SET context = 'x' WHERE seq < 3");
  expect(store.log.read({ after: 0, rows: 1 }).map(({ seq }) => seq)).toEqual([3]);
});

test.each(['{half', 'null', '{}', '{"id":"a","memory":{}}'])(
  'a saved session that reads %j is folded anew from the log',
  async body => {
    const { loop, store } = await homeAfter(`UPDATE session SET body = '${body}'`);
    expect(loop.sessionIndex.get(id)?.memory.hooked).toBeGreaterThan(0);
    expect(store.unreadable.count).toBe(1);
  },
);

test('an impossible sequence number is corrected, and the log continues', async () => {
  const { loop, events } = await homeAfter(
    "INSERT INTO event VALUES (9223372036854775807, 1, 1, 'hook', 'Stop', NULL, NULL, x'7b7d')",
  );
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { prompt: 'go' }) }]);
  expect(events().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test('a snapshot without a session is skipped', async () => {
  const { loop } = await openPipeline();
  for (const session of [
    null,
    5,
    {},
    { id, memory: {} },
    { id, memory: null },
    { id, memory: { requests: 1 } },
  ]) {
    const raw = Buffer.from(JSON.stringify({ session }));
    await loop.append([{ draft: { ...hookDraft('Snapshot'), source: 'drover', raw } }]);
  }
  expect(loop.sessionIndex.all().every(known => Array.isArray(known.memory.requests))).toBe(true);
});
