import { expect, test } from 'vitest';
import type { Context } from '../contract/event.ts';
import type { Folded } from '../session/memory.ts';
import { openDatabase } from '../store/sqlite.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';

const plugin: Context = { via: 'plugin' };

test('what arrives in one tick shares one commit and keeps its order', async () => {
  const { loop, events } = await openPipeline();
  const commits: number[] = [];
  loop.addViews([{ name: 'seqs', onCommit: ({ event }) => void commits.push(event.seq) }]);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => loop.append([{ draft: hookDraft('PostToolUse', { n }) }])),
  );
  expect(commits).toEqual([...Array(20).keys()].map(n => n + 1));
  expect(events()).toHaveLength(20);
});

test('a rejected batch leaves no trace: no row, no state, no view called, and the sender gets the error', async () => {
  const { loop, store, events, errors } = await openPipeline();
  let commits = 0;
  loop.addViews([{ name: 'count', onCommit: () => void commits++ }]);
  const append = store.log.append.bind(store.log);
  let calls = 0;
  store.log.append = (draft, seen) => {
    if (++calls === 2) throw new Error('database or disk is full');
    return append(draft, seen);
  };
  await expect(
    loop.append([{ draft: hookDraft('SessionStart') }, { draft: hookDraft('Stop') }]),
  ).rejects.toMatchObject({ code: 'store_failed' });
  expect(events()).toEqual([]);
  expect(loop.sessionIndex.all()).toEqual([]);
  expect(commits).toBe(0);
  expect(errors).toHaveLength(1);
  await loop.append([{ draft: hookDraft('SessionStart') }]);
  expect(loop.sessionIndex.all()).toHaveLength(1);
});

test.each([
  ['the plugin copy comes second', [{}, plugin]],
  ['the plugin copy comes first', [plugin, {}]],
])('one firing is one event when %s', async (_, [first, second]) => {
  const { loop, events } = await openPipeline();
  const draft = hookDraft('Stop', { last_assistant_message: 'done' });
  await loop.append([{ draft: { ...draft, context: first as Context } }]);
  await loop.append([{ draft: { ...draft, context: second as Context } }]);
  expect(events()).toHaveLength(1);
  expect(loop.counts.doubled).toBe(1);
});

test('two firings with the same payload are two events, with the plugin and without', async () => {
  const { loop, events } = await openPipeline();
  const draft = hookDraft('Notification', { notification_type: 'idle_prompt' });
  for (const context of [{}, plugin, {}, plugin, plugin, {}])
    await loop.append([{ draft: { ...draft, context } }]);
  expect(events()).toHaveLength(3);
  const other = hookDraft('Stop', { session_id: 'bbbbbbbb' });
  for (let n = 0; n < 2; n++) await loop.append([{ draft: other }]);
  expect(events()).toHaveLength(5);
});

test('the state survives a restart without a rebuild, and a deleted view is rebuilt from the log', async () => {
  const first = await openPipeline();
  await first.loop.append([
    { draft: hookDraft('SessionStart', { model: 'm' }) },
    { draft: hookDraft('UserPromptSubmit', { prompt: 'go' }) },
  ]);
  const before = first.loop.sessionIndex.all();
  await first.close();
  const second = await openPipeline(first.paths);
  expect(second.loop.sessionIndex.all()).toEqual(before);
  second.store.write(() => {
    for (const session of second.loop.sessionIndex.all()) second.store.sessions.remove(session.id);
    second.store.sessions.save([], 0);
  });
  await second.close();
  const third = await openPipeline(first.paths);
  expect(third.loop.sessionIndex.all()).toEqual(before);
});

test('a view that another Drover saved in another shape is rebuilt from the log', async () => {
  const first = await openPipeline();
  await first.loop.append([{ draft: hookDraft('UserPromptSubmit', { prompt: 'go' }) }]);
  const before = first.loop.sessionIndex.all();
  first.store.sessions.save([{ ...before[0], id: 'old' } as Folded], 1);
  await first.close();
  const db = await openDatabase(first.paths.db);
  db.exec("UPDATE tally SET value = value + 1 WHERE name = 'shape'");
  db.close();
  const second = await openPipeline(first.paths);
  expect(second.loop.sessionIndex.all()).toEqual(before);
});

test('a view that throws does not stop the others', async () => {
  const { loop, errors } = await openPipeline();
  const heard: string[] = [];
  const broken = () => {
    throw new Error('broken view');
  };
  loop.addViews([
    { name: 'first', onCommit: broken },
    { name: 'second', onCommit: ({ event }) => void heard.push(event.name) },
  ]);
  await loop.append([{ draft: hookDraft('Stop') }]);
  expect(heard).toEqual(['Stop']);
  expect(errors[0]).toBe('first failed on event 1: Error: broken view');
});
