import { expect, test } from 'vitest';
import type { Next, Queue, QueueItem } from '../../contract/queue.ts';
import type { Stats } from '../../contract/stats.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { openTestServer } from '../../testing/server.ts';

const id = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`;

/** A server with a clock that stands, and sessions that stopped one after another. */
const opened = async (...numbers: number[]) => {
  const clock = { time: new Date(2026, 0, 10, 12).getTime(), now: () => clock.time };
  const server = await openTestServer(await openPipeline(undefined, clock), clock);
  const report = async (n: number, name: string, fields = {}) => {
    clock.time += 1_000;
    await server.loop.append([
      { draft: hookDraft(name, { session_id: id(n), ...fields }, { projectDir: `/srv/p${n}` }, clock.time) },
    ]);
    clock.time += 900;
    const later = { at: clock.time, source: 'drover', name: 'Settled', sessionId: id(n) } as const;
    await server.loop.append([{ draft: { ...later, context: {}, raw: Buffer.from('{}') } }]);
    clock.time -= 900;
  };
  const stops = async (n: number) => {
    await report(n, 'UserPromptSubmit', { prompt: 'do' });
    await report(n, 'Stop', { last_assistant_message: 'done' });
  };
  for (const n of numbers) await stops(n);
  const queue = async () => {
    const { items } = (await server.ask('GET', '/queue')).json() as Queue;
    return items.map(({ session, deferred }) => `${session.id.slice(-1)}${deferred ? ` ${deferred}` : ''}`);
  };
  const next = async (client?: string) => {
    const { next } = (await server.ask('POST', '/queue/next', JSON.stringify({ client }))).json() as Next;
    return next?.session.id.slice(-1) ?? null;
  };
  return { ...server, clock, report, queue, next };
};

test('a skipped session is at the back of the queue, also while an older skip is active', async () => {
  const { ask, queue, clock } = await opened(1, 2, 3);
  expect((await ask('POST', `/queue/${id(1)}/skip`)).status).toBe(200);
  clock.time += 1;
  const skipped = (await ask('POST', `/queue/${id(2)}/skip`)).json() as QueueItem;
  expect(skipped).toMatchObject({ position: 3, deferred: 'skipped', until: clock.time + 30_000 });
  expect(await queue()).toEqual(['3', '1 skipped', '2 skipped']);
  clock.time += 30_000;
  expect(await queue()).toEqual(['3', '1', '2']);
});

test('clients that ask at the same moment get different sessions, and the last one gets none', async () => {
  const { next, clock, ask } = await opened(1, 2);
  const got = await Promise.all([next('a'), next('b'), next('c')]);
  expect([...got].sort()).toEqual(['1', '2', null]);
  expect(await next()).toBeNull();
  expect(await next('a')).toBe(got[0]);
  clock.time += 30_000;
  expect(await next('c')).toBe('1');
  expect((await ask('POST', '/queue/next')).json()).toMatchObject({ waiting: 2, deferred: 2 });
});

test('a snooze needs a time; a dismissed session comes back when its state changes', async () => {
  const { ask, queue, clock, report } = await opened(1, 2);
  expect((await ask('POST', `/queue/${id(1)}/snooze`)).status).toBe(400);
  expect((await ask('POST', `/queue/${id(1)}/snooze`, '{"seconds":60}')).status).toBe(200);
  expect((await ask('POST', `/queue/${id(2)}/dismiss`)).status).toBe(200);
  expect(await queue()).toEqual(['1 snoozed', '2 dismissed']);
  clock.time += 60_000;
  expect(await queue()).toEqual(['1', '2 dismissed']);
  await report(2, 'UserPromptSubmit', { prompt: 'go on' });
  expect(await queue()).toEqual(['1']);
  expect((await ask('POST', `/queue/${id(2)}/skip`)).status).toBe(409);
  expect((await ask('POST', `/queue/${id(9)}/skip`)).status).toBe(404);
  await report(2, 'Stop', {});
  expect(await queue()).toEqual(['1', '2']);
});

test('undo takes back a skip, a snooze and a dismissal; without any it is refused', async () => {
  const { ask, queue } = await opened(1, 2, 3);
  const undo = async (n: number) => (await ask('POST', `/queue/${id(n)}/undo`)).status;
  await ask('POST', `/queue/${id(1)}/skip`);
  await ask('POST', `/queue/${id(2)}/snooze`, '{"seconds":60}');
  await ask('POST', `/queue/${id(3)}/dismiss`);
  expect(await queue()).toEqual(['2 snoozed', '3 dismissed', '1 skipped']);
  expect([await undo(3), await undo(1), await undo(2)]).toEqual([200, 200, 200]);
  expect(await queue()).toEqual(['1', '2', '3']);
  expect([await undo(1), await undo(9)]).toEqual([409, 404]);
});

test('deferrals are published to streams, and survive a restart', async () => {
  const { ask, follow, paths, close, clock } = await opened(1);
  const stream = await follow('/events');
  await ask('POST', `/queue/${id(1)}/dismiss`);
  await stream.next(({ event, data }) => event === 'state' && data.includes('"dismissed":"stopped"'));
  await close();
  const again = await openTestServer(await openPipeline(paths, clock), clock);
  expect((await again.ask('GET', '/queue')).json()).toMatchObject({ items: [{ deferred: 'dismissed' }] });
});

test('waiting times are kept, also when the sessions are rebuilt, until they are forgotten', async () => {
  const { ask, report, clock, store, paths, close } = await opened(1, 2, 3);
  clock.time += 60_000;
  await report(1, 'UserPromptSubmit', { prompt: 'go on' });
  await report(2, 'SessionEnd', { reason: 'other' });
  const stats = async (server: { ask: typeof ask }, days = 2) =>
    (await server.ask('GET', `/stats?days=${days}`)).json() as Stats;
  const seen = await stats({ ask });
  // Stopped at 2 s and prompted at 67 s.
  expect(seen).toMatchObject({
    waits: 1,
    median: 65_000,
    longest: 65_000,
    unanswered: 1,
    open: { waits: 1, longest: 62_000 },
    days: [
      { day: '2026-01-09', waits: 0 },
      { day: '2026-01-10', waits: 1 },
    ],
    reasons: [{ name: 'stopped', waits: 1 }],
    projects: [{ name: 'p1', waits: 1 }],
  });
  store.write(() => store.sessions.save([], 0));
  await close();
  const again = await openTestServer(await openPipeline(paths, clock), clock);
  expect(await stats(again)).toEqual(seen);
  expect((await again.ask('GET', '/stats?days=0')).status).toBe(400);
  await again.ask('POST', '/forget', JSON.stringify({ id: id(1) }));
  expect(await stats(again)).toMatchObject({ waits: 0, unanswered: 1 });
  await again.ask('POST', '/forget', '{"all":true}');
  expect(await stats(again)).toMatchObject({ waits: 0, unanswered: 0, open: { waits: 0 } });
});
