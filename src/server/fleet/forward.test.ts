/** Calls for sessions of other hosts, between two daemons without a broker. */
import { expect, test } from 'vitest';
import type { SessionList, SessionPage } from '../../contract/api.ts';
import type { AuditPage } from '../../contract/audit.ts';
import type { Right } from '../../contract/rights.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { type TestPeers, testPeers } from '../../testing/peers.ts';
import { type Answer, openTestServer, type TestServer } from '../../testing/server.ts';
import { sha256 } from '../../sha256.ts';
import { writeTokens } from '../../files/token-file.ts';

const here = 'aaaaaaaa-0000-4000-8000-000000000001';
const there = 'bbbbbbbb-0000-4000-8000-000000000001';

const starts = (server: TestServer, ...ids: string[]) =>
  server.loop.append(
    ids.map(session_id => ({
      draft: hookDraft(
        'SessionStart',
        { session_id, cwd: '/srv/app', transcript_path: '/t.jsonl' },
        { pane: '%7' },
      ),
    })),
  );

/** This machine with one session, and `devbox` with another. */
const twoHosts = async (...rights: Right[]): Promise<{ a: TestServer; b: TestServer; peers: TestPeers }> => {
  const b = await openTestServer();
  await starts(b, there);
  const peers = testPeers({ devbox: { server: b, rights } });
  const a = await openTestServer(undefined, undefined, undefined, peers);
  await starts(a, here);
  return { a, b, peers };
};

const codeOf = (answer: Answer): string =>
  (answer.json() as { error?: { code: string } }).error?.code ?? `${answer.status}`;

test('a session of another host is found by `id@host`, by its prefix alone, and by the id of its host', async () => {
  const { a, peers } = await twoHosts('read');
  for (const id of [`${there}@devbox`, 'bbbbbbbb', 'bbbbbbbb@devbox', 'bbbbbb@id-devbox']) {
    const page = (await a.ask('GET', `/sessions/${id}`)).json() as SessionPage;
    expect([page.id, page.host, page.fleet?.name]).toEqual([`${there}@devbox`, 'devbox', 'devbox']);
    // A pane, a process and a file mean something else here.
    expect([page.pane, page.pid, page.transcript]).toEqual([null, null, null]);
  }
  expect(peers.sent.map(({ to, call }) => [to, call.route, call.params.id])).toEqual(
    Array.from({ length: 4 }, () => ['id-devbox', 'readSession', there]),
  );
});

test('sessions of this machine win, even by its own name; a prefix of several is ambiguous, and the error names their hosts', async () => {
  const { a, b, peers } = await twoHosts('read');
  await starts(b, 'aaaaaaaa-0000-4000-8000-000000000002');
  expect(((await a.ask('GET', '/sessions/aaaaaaaa')).json() as SessionPage).id).toBe(here);
  expect(((await a.ask('GET', '/sessions/aaaaaaaa@laptop')).json() as SessionPage).id).toBe(here);
  expect(peers.sent).toEqual([]);
  const c = await openTestServer();
  await starts(c, 'bbbbbbbb-0000-4000-8000-000000000002');
  peers.hosts.ci = { server: c };
  const answer = await a.ask('GET', '/sessions/bbbbbbbb');
  expect(codeOf(answer)).toBe('ambiguous');
  expect(answer.text).toContain(`${there}@devbox, bbbbbbbb-0000-4000-8000-000000000002@ci`);
  expect(codeOf(await a.ask('GET', '/sessions/bbbbbbbb@ci'))).toBe('200');
  expect(codeOf(await a.ask('GET', '/sessions/bbbbbbbb@nowhere'))).toBe('no_session');
});

test('times are converted to the clock of this machine', async () => {
  const { a, b, peers } = await twoHosts('read');
  const { since, started } = b.loop.sessionIndex.get(there) as unknown as SessionPage;
  peers.hosts.devbox = { ...peers.hosts.devbox, server: b, skew: 3_600_000 };
  const page = (await a.ask('GET', `/sessions/${there}@devbox`)).json() as SessionPage;
  expect([page.since, page.started]).toEqual([since - 3_600_000, started - 3_600_000]);
});

test('both hosts check the call, here the token, there what the host accepts, and both record it', async () => {
  const { a, b, peers } = await twoHosts('read', 'queue');
  const at0 = { createdAt: 0, usedAt: null };
  writeTokens(a.paths.tokens, [{ ...at0, name: 'reader', rights: ['read'], hash: sha256('reads') }]);
  const tag = (headers?: Record<string, string>) =>
    a.ask('POST', `/sessions/${there}@devbox/tags`, '{"add":["urgent"]}', headers);
  expect(codeOf(await tag({ Authorization: 'Bearer reads' }))).toBe('forbidden');
  expect(peers.sent).toEqual([]);
  expect(codeOf(await tag())).toBe('forbidden');
  expect(b.loop.sessionIndex.get(there)?.tags).toEqual([]);
  peers.hosts.devbox = { server: b, rights: ['drive'] };
  expect((await tag()).json()).toMatchObject({ id: `${there}@devbox`, tags: ['urgent'] });
  const entriesOf = async (server: TestServer) => {
    const { entries } = (await server.ask('GET', '/audit')).json() as AuditPage;
    return entries.map(({ caller, result, text }) => `${caller.kind} ${caller.name}: ${result}, ${text}`);
  };
  expect(await entriesOf(a)).toEqual([
    'token reader: forbidden, null',
    `token owner: forbidden, on ${there}@devbox`,
    `token owner: ok, on ${there}@devbox`,
  ]);
  expect(await entriesOf(b)).toEqual([
    'host laptop (token): forbidden, null',
    'host laptop (token): ok, +urgent',
  ]);
});

test('a program inside a session may not answer for sessions of another host', async () => {
  const { a, peers } = await twoHosts('admin');
  const answer = await a.ask('POST', `/sessions/${there}@devbox/answer`, '{"behavior":"allow"}', {
    'X-Drover-Session': here,
  });
  expect(codeOf(answer)).toBe('nested');
  expect(peers.sent).toEqual([]);
});

test('an idempotency key is passed on, and gives the same key of the command for the same call only', async () => {
  const { a, peers } = await twoHosts('admin');
  const ask = (id: string, key: string) =>
    a.ask('POST', `/sessions/${id}@devbox/tags`, '{"add":["x"]}', { 'Idempotency-Key': key });
  for (const key of ['one', 'one', 'two']) await ask(there, key);
  const keys = peers.sent.map(({ call }) => call.key);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(2);
  expect(peers.sent[0]?.call.headers).toEqual({ 'idempotency-key': 'one' });
  await a.ask('POST', `/sessions/${there}@devbox/seen`, undefined, { 'Idempotency-Key': 'one' });
  expect(new Set(peers.sent.map(({ call }) => call.key)).size).toBe(3);
  // A waiting message may take as long as it requests.
  await a.ask('POST', `/sessions/${there}@devbox/message`, '{"text":"go","wait":"answered","timeout":900}');
  expect(peers.sent.at(-1)?.call.answerMs).toBeGreaterThan(900_000);
});

test('a call to a host that is away fails at once; an unknown host is a different error', async () => {
  const { a, b, peers } = await twoHosts('admin');
  peers.hosts.devbox = { server: b, isAway: true };
  expect(codeOf(await a.ask('POST', `/sessions/${there}@devbox/message`, '{"text":"go"}'))).toBe('host_away');
  expect(codeOf(await a.ask('POST', '/sessions?host=nowhere', JSON.stringify({ session_id: here })))).toBe(
    'no_host',
  );
});

test('a new session starts on the host in the query, which may be this machine', async () => {
  const { a, peers } = await twoHosts('admin');
  const id = 'cccccccc-0000-4000-8000-000000000001';
  const body = JSON.stringify({ session_id: id });
  // Claude Code is installed on neither of these: each reports that itself.
  await a.ask('POST', '/sessions?host=devbox', body);
  expect(
    peers.sent.map(({ to, call }) => [
      to,
      call.route,
      call.query,
      (call.body as { session_id: string }).session_id,
    ]),
  ).toEqual([['id-devbox', 'createSession', {}, id]]);
  await a.ask('POST', '/sessions?host=laptop', body);
  expect(peers.sent).toHaveLength(1);
});

test('events of a session of another host contain nothing that could be a pane or process here', async () => {
  const { a } = await twoHosts('read');
  const log = (await a.ask('GET', `/log?session=${there}@devbox`)).json() as {
    events: { sessionId: string; context: object }[];
  };
  expect(log.events.map(({ sessionId, context }) => [sessionId, context])).toEqual([
    [`${there}@devbox`, { host: 'devbox' }],
  ]);
  const stream = await a.ask('GET', `/sessions/${there}@devbox/events`);
  expect([codeOf(stream), stream.text]).toEqual(['refused', expect.stringContaining('devbox')]);
});

test('an answer in an unknown form is an error, not a session', async () => {
  const { a, peers } = await twoHosts('read');
  peers.send = () => Promise.resolve({ status: 200, json: { id: there, title: { text: 'x' } } });
  expect(codeOf(await a.ask('GET', `/sessions/${there}@devbox`))).toBe('failed');
});

test('lists cover all hosts, or this machine with `scope=local`', async () => {
  const { a } = await twoHosts('read');
  const ids = async (query: string) =>
    ((await a.ask('GET', `/sessions${query}`)).json() as SessionList).sessions.map(({ id }) => id).sort();
  expect(await ids('')).toEqual([here, `${there}@devbox`]);
  expect(await ids('?scope=local')).toEqual([here]);
  expect(await ids('?match=bbbb@devbox')).toEqual([`${there}@devbox`]);
  expect(await ids('?match=bbbb@dev')).toEqual([]);
  expect(await ids('?match=app')).toEqual([here, `${there}@devbox`]);
  expect(await ids('?match=app&scope=local')).toEqual([here]);
});
