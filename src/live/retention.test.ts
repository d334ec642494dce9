import { expect, test } from 'vitest';
import { hookDraft, openPipeline, type Pipeline } from '../testing/pipeline.ts';
import { forget } from './forget.ts';
import { limitsReached, Retention } from './retention.ts';

const day = 86_400_000;
const generous = {
  age: 30 * day,
  events: 1_000_000,
  bytes: 1e12,
  sessionEvents: 1_000_000,
  sessionBytes: 1e12,
};

const session = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** A whole life of `turns` turns; ended or not. */
const live = async (pipeline: Pipeline, id: string, turns: number, ended: boolean): Promise<void> => {
  const names = [
    'SessionStart',
    ...Array.from({ length: turns }, () => ['UserPromptSubmit', 'Stop']).flat(),
    ...(ended ? ['SessionEnd'] : []),
  ];
  for (const name of names)
    await pipeline.loop.append([{ draft: hookDraft(name, { session_id: id, prompt: `p of ${id}` }) }]);
};

const rebuilt = async (pipeline: Pipeline) => {
  const before = pipeline.loop.sessionIndex.all().sort((a, b) => (a.id < b.id ? -1 : 1));
  pipeline.store.write(() => pipeline.store.sessions.save([], 0));
  for (const { id } of before) pipeline.store.write(() => pipeline.store.sessions.remove(id));
  await pipeline.close();
  const again = await openPipeline(pipeline.paths);
  return { before, after: again.loop.sessionIndex.all().sort((a, b) => (a.id < b.id ? -1 : 1)) };
};

test('above the count the oldest events of ended sessions are removed, live sessions stay complete, and the state can be rebuilt', async () => {
  const pipeline = await openPipeline();
  const { loop, store } = pipeline;
  await live(pipeline, session(1), 5, false);
  for (let n = 2; n < 12; n++) await live(pipeline, session(n), 5, true);
  const whole = store.log.read({ after: 0, sessionId: session(1), rows: 1_000 }).length;
  await new Retention(
    store,
    loop.sessionIndex,
    { ...generous, events: 60 },
    { now: Date.now },
    () => {},
  ).prune();
  expect(store.log.totals().events).toBeLessThanOrEqual(75);
  expect(store.log.read({ after: 0, sessionId: session(1), rows: 1_000 })).toHaveLength(whole);
  const { before, after } = await rebuilt(pipeline);
  expect(after).toEqual(before);
  expect(after).toHaveLength(11);
});

test('a live session with more than its share loses its oldest events, keeps its state, and costs no other session any', async () => {
  const pipeline = await openPipeline();
  const { loop, store } = pipeline;
  await live(pipeline, session(2), 5, true);
  const others = store.log.read({ after: 0, sessionId: session(2), rows: 1_000 });
  await loop.append([{ draft: hookDraft('SessionStart', { session_id: session(9) }, { pid: 77 }) }]);
  // The runaway session came from `/clear`: none of its own events contains what it inherited.
  await loop.append([
    { draft: { ...hookDraft('Driven', { session_id: session(9), on: true }), source: 'drover' } },
    { draft: hookDraft('SessionStart', { session_id: session(1), source: 'clear' }, { pid: 77 }) },
  ]);
  await live(pipeline, session(1), 100, false);
  expect(loop.sessionIndex.get(session(9))).toMatchObject({ state: 'ended', next: session(1) });
  const bounds = { ...generous, sessionEvents: 30 };
  await new Retention(store, loop.sessionIndex, bounds, { now: Date.now }, () => {}).prune();
  const kept = store.log.read({ after: 0, sessionId: session(1), rows: 1_000 });
  expect(kept.length).toBeLessThanOrEqual(32);
  expect(kept[0]?.name).toBe('Snapshot');
  expect(store.log.read({ after: 0, sessionId: session(2), rows: 1_000 })).toEqual(others);
  expect(limitsReached(store)).toMatchObject({ session: { sessionId: session(1), events: 172 } });
  const { before, after } = await rebuilt(pipeline);
  const seqless = (all: typeof before) => all.map(one => ({ ...one, seq: 0 }));
  expect(seqless(after)).toEqual(seqless(before));
});

test('if only live sessions are left, their oldest events are removed, and that is reported', async () => {
  const pipeline = await openPipeline();
  const { loop, store } = pipeline;
  for (let n = 1; n < 6; n++) await live(pipeline, session(n), 20, false);
  await new Retention(
    store,
    loop.sessionIndex,
    { ...generous, events: 60 },
    { now: Date.now },
    () => {},
  ).prune();
  expect(store.log.totals().events).toBeLessThanOrEqual(70);
  expect(limitsReached(store).total?.events).toBeGreaterThan(100);
  const { before, after } = await rebuilt(pipeline);
  expect(after).toEqual(before);
});

test('the volume of every session is counted, also for a log of an earlier version', async () => {
  const pipeline = await openPipeline();
  const { store } = pipeline;
  for (let n = 1; n < 4; n++) await live(pipeline, session(n), n, true);
  const counted = () =>
    store.log.sessionsOver(-1, -1).map(({ sessionId, events, bytes }) => {
      const rows = store.log.read({ after: 0, sessionId, rows: 1_000 });
      return events === rows.length && bytes === rows.reduce((sum, { raw }) => sum + raw.length, 0);
    });
  expect(counted()).toEqual([true, true, true]);
  store.write(() => store.log.removeOf(session(2), 8));
  store.erase(() => store.log.removeOf(session(3)));
  expect(counted()).toEqual([true, true]);
});

test('a session above the age is removed completely, and newer events stay', async () => {
  const pipeline = await openPipeline();
  await live(pipeline, session(1), 2, true);
  const later = { now: () => Date.now() + 31 * day };
  await live(pipeline, session(2), 2, false);
  await new Retention(pipeline.store, pipeline.loop.sessionIndex, generous, later, () => {}).prune();
  expect(pipeline.loop.sessionIndex.all().map(({ id }) => id)).toEqual([session(2)]);
  expect(pipeline.store.log.read({ after: 0, sessionId: session(1), rows: 10 })).toEqual([]);
});

test('above the bytes it cuts too, and the totals stay right', async () => {
  const pipeline = await openPipeline();
  for (let n = 1; n < 9; n++) await live(pipeline, session(n), 30, true);
  const { store } = pipeline;
  const { bytes } = store.log.totals();
  await new Retention(
    store,
    pipeline.loop.sessionIndex,
    { ...generous, bytes: bytes / 2 },
    { now: Date.now },
    () => {},
  ).prune();
  const events = pipeline.events();
  const left = store.log.totals();
  expect(left).toEqual({
    events: events.length,
    bytes: events.reduce((sum, event) => sum + event.raw.length, 0),
  });
  // The remaining snapshots are a large part of such a small log.
  expect(left.bytes).toBeLessThan(bytes * 0.65);
});

test('ingest continues while a cut runs', async () => {
  const pipeline = await openPipeline();
  for (let n = 1; n < 9; n++) await live(pipeline, session(n), 30, true);
  const cutting = new Retention(
    pipeline.store,
    pipeline.loop.sessionIndex,
    { ...generous, events: 50 },
    { now: Date.now },
    () => {},
  ).prune();
  await pipeline.loop.append([{ draft: hookDraft('SessionStart', { session_id: session(77) }) }]);
  await cutting;
  expect(pipeline.loop.sessionIndex.get(session(77))?.state).toBe('ready');
});

test('forget clears one session, those before a time, or all', async () => {
  const pipeline = await openPipeline();
  const { store, loop, aside } = pipeline;
  const streams = { drop: () => {} };
  for (let n = 1; n < 5; n++) await live(pipeline, session(n), 1, true);
  expect(forget(store, loop.sessionIndex, streams, aside, { id: session(1) })).toEqual({
    sessions: 1,
    events: 4,
  });
  expect(loop.sessionIndex.get(session(1))).toBeUndefined();
  expect(forget(store, loop.sessionIndex, streams, aside, { before: 1 })).toEqual({ sessions: 0, events: 0 });
  expect(forget(store, loop.sessionIndex, streams, aside, { all: true }).sessions).toBe(3);
  expect(pipeline.events()).toEqual([]);
  expect(store.log.totals()).toEqual({ events: 0, bytes: 0 });
});

test('an origin beyond its share loses its own oldest sessions, live or not; the others keep theirs', async () => {
  const pipeline = await openPipeline();
  const { loop, store } = pipeline;
  await live(pipeline, session(1), 5, true);
  const posted = async (id: string) => {
    for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop'])
      await loop.append([{ draft: hookDraft(name, { session_id: id }, { origin: id.split('@').at(-1) }) }]);
  };
  for (let n = 2; n < 12; n++) await posted(`${session(n)}@ci`);
  // An id may contain the sign that separates the origin.
  for (let n = 12; n < 22; n++) await posted(`${session(n)}@${n}@ci`);
  await posted(`${session(30)}@other`);
  const bounds = { ...generous, events: 100 };
  await new Retention(store, loop.sessionIndex, bounds, { now: Date.now }, () => {}).prune();
  const left = loop.sessionIndex.all().map(({ id }) => id);
  expect(left).toContain(session(1));
  expect(left).toContain(`${session(30)}@other`);
  expect(store.log.read({ after: 0, sessionId: session(1), rows: 100 })).toHaveLength(12);
  const own = left.filter(id => id.endsWith('@ci'));
  expect(own.length).toBeGreaterThan(0);
  const events = own.reduce((sum, id) => sum + store.log.volumeOf(id).events, 0);
  expect(events).toBeLessThanOrEqual(20);
  expect(own).toContain(`${session(21)}@21@ci`);
});
