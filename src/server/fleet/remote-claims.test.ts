/** One queue over several hosts: the host of a session grants its claims. */
import { expect, test } from 'vitest';
import type { Next, Queue } from '../../contract/queue.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { testPeers } from '../../testing/peers.ts';
import { openTestServer, type TestServer } from '../../testing/server.ts';

/** A server with its own clock and sessions that wait. */
const waitingHost = async (
  clock: { time: number; now: () => number },
  ids: string[],
  peers?: ReturnType<typeof testPeers>,
) => {
  const server = await openTestServer(await openPipeline(undefined, clock), clock, undefined, peers);
  const begun = clock.time;
  for (const session_id of ids) {
    const took = (name: string, fields: object, at: number) =>
      server.loop.append([
        { draft: hookDraft(name, { session_id, ...fields }, { projectDir: '/srv/app' }, at) },
      ]);
    await took('UserPromptSubmit', { prompt: 'do' }, begun - 1_000);
    await took('Stop', { last_assistant_message: 'done' }, begun);
    clock.time = begun + 900;
    await settles(server, session_id, clock.time);
    clock.time = begun;
  }
  return server;
};

const settles = async ({ loop }: Pick<TestServer, 'loop'>, sessionId: string, at: number): Promise<void> => {
  const settled = { at, source: 'drover', name: 'Settled', sessionId } as const;
  await loop.append([{ draft: { ...settled, context: {}, raw: Buffer.from('{}') } }]);
};

const idOf = (host: string, n: number): string =>
  `${host.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const nextOf = async (server: TestServer, client?: string): Promise<string | null> => {
  const { next } = (await server.ask('POST', '/queue/next', JSON.stringify({ client }))).json() as Next;
  return next?.session.id ?? null;
};

test('twenty clients on two seats never get the same session', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const b = await waitingHost(
    clock,
    Array.from({ length: 8 }, (_, n) => idOf('b', n)),
  );
  const c = await waitingHost(
    clock,
    Array.from({ length: 6 }, (_, n) => idOf('c', n)),
  );
  const shared = { b: { server: b }, c: { server: c } };
  const first = await waitingHost(clock, [idOf('a', 1), idOf('a', 2)], testPeers(shared));
  const second = await waitingHost(clock, [], testPeers(shared));
  const got = await Promise.all(
    Array.from({ length: 20 }, (_, n) => nextOf(n % 2 ? first : second, `shell-${n >> 1}`)),
  );
  const granted = got.filter(id => id !== null);
  expect(new Set(granted).size).toBe(granted.length);
  // Every session that can be claimed was claimed.
  expect(granted.length).toBe(16);
  expect(await nextOf(second, 'late')).toBeNull();
});

test('a claim is refused while somebody else has it, also to a client of the same name on another host', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const b = await waitingHost(clock, [idOf('b', 1)]);
  const claim = (name: string) =>
    b.ofHosts(
      {
        to: 'aaaaaaaaaaaaaaaa',
        route: 'claimSession',
        params: { id: idOf('b', 1) },
        query: {},
        headers: {},
        body: { client: 'shell-1' },
        caller: { kind: 'cli', name: null, session: null },
        key: 'k'.repeat(20),
        at: 0,
        expires: 0,
      },
      { kind: 'host', name, session: null, rights: ['queue'] },
    );
  const raced = await Promise.all(['laptop (cli)', 'desk (cli)'].map(claim));
  expect(raced.map(({ status }) => status)).toEqual([200, 409]);
  expect((await claim('laptop (cli)')).status).toBe(200);
  expect((await claim('desk (cli)')).json).toMatchObject({ error: { code: 'refused' } });
  expect(await nextOf(b, 'shell-1')).toBeNull();
  clock.time += 31_000;
  expect((await claim('desk (cli)')).status).toBe(200);
});

test('a session that was claimed elsewhere is skipped, and a client gets its own back', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const b = await waitingHost(clock, [idOf('b', 1), idOf('b', 2)]);
  const peers = testPeers({ b: { server: b } });
  const live = peers.sessions;
  const stale = await live();
  const a = await waitingHost(clock, [], peers);
  expect(await nextOf(b, 'there')).toBe(idOf('b', 1));
  // The rows that this seat has seen are older than that claim.
  peers.sessions = () => Promise.resolve(stale);
  expect(await nextOf(a, 'one')).toBe(`${idOf('b', 2)}@b`);
  expect(await nextOf(a, 'two')).toBeNull();
  expect(await nextOf(a, 'one')).toBe(`${idOf('b', 2)}@b`);
  // Rows do not say whose a claim is; this seat remembers its own.
  peers.sessions = live;
  expect(await nextOf(a, 'two')).toBeNull();
  expect(await nextOf(a, 'one')).toBe(`${idOf('b', 2)}@b`);
  // It has worked and waits again: that claim is over.
  clock.time += 1_500;
  const took = async (name: string) =>
    b.loop.append([{ draft: hookDraft(name, { session_id: idOf('b', 2), prompt: 'go' }, {}, clock.time) }]);
  await took('UserPromptSubmit');
  await took('PermissionRequest');
  clock.time += 900;
  await settles(b, idOf('b', 2), clock.time);
  expect(await nextOf(a, 'two')).toBe(`${idOf('b', 2)}@b`);
});

test('sessions of a host that is away keep their place and are never chosen; a host that fails is skipped', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const b = await waitingHost(clock, [idOf('b', 1)]);
  const peers = testPeers({ b: { server: b, isAway: true } });
  clock.time += 1_000;
  const a = await waitingHost(clock, [idOf('a', 1)], peers);
  const queue = async (query = '') =>
    ((await a.ask('GET', `/queue${query}`)).json() as Queue).items.map(
      ({ session, deferred }) => `${session.id.slice(0, 1)} ${deferred}`,
    );
  expect(await queue()).toEqual(['b away', 'a null']);
  expect(await queue('?scope=local')).toEqual(['a null']);
  expect(await nextOf(a, 'one')).toBe(idOf('a', 1));
  expect(await nextOf(a, 'two')).toBeNull();
  expect(peers.sent).toEqual([]);
  // It is away now, and this seat does not know it yet.
  peers.hosts.b = { server: b, rights: [] };
  expect(await nextOf(a, 'two')).toBeNull();
  peers.hosts.b = { server: b };
  expect(await nextOf(a, 'two')).toBe(`${idOf('b', 1)}@b`);
});

test('skip, snooze and undo reach the session on its host', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const b = await waitingHost(clock, [idOf('b', 1)]);
  const a = await waitingHost(clock, [], testPeers({ b: { server: b } }));
  const id = `${idOf('b', 1)}@b`;
  const act = async (what: string, body?: string) =>
    ((await a.ask('POST', `/queue/${id}/${what}`, body)).json() as { deferred: string | null }).deferred;
  expect(await act('skip')).toBe('skipped');
  expect(await act('snooze', '{"seconds":60}')).toBe('snoozed');
  expect(await act('undo')).toBeNull();
  expect(b.loop.sessionIndex.get(idOf('b', 1))?.deferral).toMatchObject({ skipped: null, snoozed: null });
});
