import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../contract/short-id.ts';
import type { Caller } from '../contract/caller.ts';
import type { Session } from '../contract/session.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { openTestServer } from '../testing/server.ts';
import { authenticate } from './authenticate.ts';
import { storedUnder, originOf } from './posted.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const hook = (name: string, fields: object = {}) =>
  JSON.stringify({ session_id: id, hook_event_name: name, ...fields });
const spot = { socket: '/s', serverPid: 9, pane: '%1', pid: 4_000_000 };
const evil = { 'X-Drover-Host': 'evil' };

const spooled = async () => {
  const server = await openTestServer();
  await server.loop.append([{ draft: hookDraft('SessionStart', { cwd: '/shop' }, spot) }]);
  return { ...server, local: () => server.loop.sessionIndex.get(id) as Folded };
};

test.each([
  ['another host', evil],
  ['this host', {}],
  ['the process of another session', { 'X-Claude-Pid': '4000000' }],
  ['the pane of another session', { 'X-Tmux-Pane': '%1', 'X-Tmux': '/s,9,0' }],
] as [string, Record<string, string>][])(
  'an event that is posted with %s does not change a session known from the spool',
  async (_, headers) => {
    const { ask, local, loop } = await spooled();
    const before = structuredClone(local());
    for (const body of [
      hook('SessionStart', { source: 'resume', transcript_path: '/etc/passwd', cwd: '/evil' }),
      hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } }),
      hook('SessionEnd', { reason: 'other' }),
    ])
      expect((await ask('POST', '/event', body, headers)).status).toBe(200);
    expect(local()).toEqual(before);
    const [other] = loop.sessionIndex.all().filter(session => session.id !== id);
    expect(other).toMatchObject({ pid: null, pane: null, transcript: null, managed: false, driven: false });
    expect(other?.origin).toBe(headers === evil ? 'evil' : 'post');
    expect(other?.id).toBe(`${id}@${other?.origin}`);
  },
);

test('the order of spool and POST does not matter', async () => {
  const { ask, loop } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart', { transcript_path: '/etc/passwd', cwd: '/evil' }), evil);
  await loop.append([{ draft: hookDraft('SessionStart', { cwd: '/shop' }, spot) }]);
  await ask('POST', '/event', hook('SessionEnd'), evil);
  expect(loop.sessionIndex.get(id)).toMatchObject({
    state: 'ready',
    host: null,
    origin: null,
    dir: '/shop',
    pid: 4e6,
  });
  expect(loop.sessionIndex.get(`${id}@evil`)).toMatchObject({ state: 'ended', host: 'evil', dir: '/evil' });
});

test('an id that looks like one of another origin does not reach that session', async () => {
  const { ask, loop } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'), evil);
  const forged = JSON.stringify({ session_id: `${id}@evil`, hook_event_name: 'SessionEnd' });
  await ask('POST', '/event', forged);
  await ask('POST', '/event', forged, { 'X-Drover-Host': 'other' });
  await loop.append([{ draft: hookDraft('SessionEnd', { session_id: `${id}@evil` }) }]);
  expect(loop.sessionIndex.get(`${id}@evil`)).toMatchObject({ state: 'ready', origin: 'evil' });
});

test('the token of the owner reports a session on this machine until the spool does', async () => {
  const { ask, loop } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart', { cwd: '/shop' }));
  await ask('POST', '/event', hook('UserPromptSubmit'));
  expect(loop.sessionIndex.get(id)).toMatchObject({ state: 'working', origin: null, pid: null, pane: null });
  await loop.append([{ draft: hookDraft('SessionStart', {}, spot) }]);
  await ask('POST', '/event', hook('UserPromptSubmit'));
  expect(loop.sessionIndex.get(id)).toMatchObject({ state: 'ready' });
  expect(loop.sessionIndex.get(`${id}@post`)).toMatchObject({ state: 'working', origin: 'post' });
});

test('the plain id and a prefix of it find what an origin reports, unless a session here has it', async () => {
  const { ask, follow, loop } = await openTestServer();
  const body = hook('UserPromptSubmit', { prompt: 'x' });
  await ask('POST', '/event', body, { 'X-Drover-Host': 'devbox' });
  const read = async (name: string) => (await ask('GET', `/sessions/${name}`)).json() as Session;
  for (const name of [id, shortId(id), `${id}@devbox`, `${id}%40devbox`, `${shortId(id)}@dev`])
    expect(await read(name)).toMatchObject({ id: `${id}@devbox`, origin: 'devbox', host: 'devbox' });
  const stream = await follow(`/sessions/${id}/events?after=0`);
  expect((await stream.next(({ event }) => event === 'hook')).data).toBe(body);
  expect((await ask('GET', `/log?session=${id}`)).json()).toMatchObject({
    events: [{ sessionId: `${id}@devbox`, context: { origin: 'devbox' }, payload: { session_id: id } }],
  });
  await loop.append([{ draft: hookDraft('SessionStart', {}, spot) }]);
  for (const name of [id, shortId(id)]) expect(await read(name)).toMatchObject({ id, origin: null });
  expect(await read(`${shortId(id)}@devbox`)).toMatchObject({ origin: 'devbox' });
});

test.each([`${id}@`, `${id}@a/b`, `${id}@é`, `@devbox`, `${id}@a@b@c`])(
  '%s is not a session id',
  async given => {
    const { ask } = await openTestServer();
    const answer = await ask('GET', `/log?session=${encodeURIComponent(given)}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('bad_id')]);
  },
);

test('a transcript that a post names is not read and not served', async () => {
  const { ask, paths, loop } = await openTestServer();
  const path = join(paths.home, 'secret.jsonl');
  writeFileSync(path, `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'secret' } })}\n`);
  await ask('POST', '/event', hook('Stop', { transcript_path: path }), evil);
  const answer = await ask('GET', `/sessions/${id}/transcript`);
  expect([answer.status, answer.text.includes('secret')]).toEqual([404, false]);
  expect(loop.sessionIndex.all().map(({ transcript }) => transcript)).toEqual([null]);
});

test('a session of an origin cannot be held, driven or opened here', async () => {
  const { ask } = await openTestServer();
  await ask('POST', '/event', hook('Stop'), { 'X-Drover-Host': 'devbox' });
  for (const [method, path, body] of [
    ['POST', 'message', { text: 'x' }],
    ['POST', 'keys', { keys: ['Enter'] }],
    ['POST', 'approvals', { approvals: 'held' }],
  ] as const) {
    const answer = await ask(method, `/sessions/${id}/${path}`, JSON.stringify(body));
    expect([path, answer.status]).toEqual([path, 409]);
  }
});

const token = (name: string): Caller => ({ kind: 'token', name, session: null, rights: ['ingest'] });

test('a named token reports under its name, whatever host it claims', () => {
  const draft = hookDraft('Stop', {}, { posted: true, host: 'evil' });
  expect(originOf(draft, token('devbox'), undefined)).toBe('devbox');
  expect(originOf({ ...draft, context: {} }, token('devbox'), undefined)).toBe('devbox');
  expect(originOf(draft, token('a b/@c'), undefined)).toBe('a-b--c');
});

test('a session of the hub has its hooks in the spool from the start', () => {
  const known = { managed: true, memory: { spooled: false } } as Folded;
  expect(originOf(hookDraft('Stop'), token('owner'), known)).toBe('post');
});

test('two origins may use the same delivery ids', () => {
  const draft = hookDraft('Stop');
  const keys = ['a', 'b', null].map(origin => storedUnder(origin, draft, '123.abcdef').key);
  expect(new Set(keys).size).toBe(3);
});

const openIngest = async () => {
  const pipeline = await openPipeline();
  pipeline.core.config.ingest = 'open';
  return openTestServer(pipeline);
};

/** What `urllib.request` of claude-code-hub's emitter and `curl` of Trail Boss's send. */
const emitters: [string, Record<string, string>][] = [
  [
    '/events',
    { 'User-Agent': 'Python-urllib/3.12', 'Content-Type': 'application/json', Connection: 'close' },
  ],
  ['/event', { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Tmux-Pane': '%1' }],
];

test.each(emitters)(
  'POST %s without a token is refused, unless `ingest` is open; then it is unverified',
  async (path, headers) => {
    const closed = await openTestServer();
    const without = { Authorization: '', ...headers };
    expect((await closed.ask('POST', path, hook('Stop'), without)).status).toBe(401);
    expect(closed.events()).toEqual([]);

    const { ask, loop, events } = await openIngest();
    await loop.append([{ draft: hookDraft('SessionStart', { cwd: '/shop' }, spot) }]);
    const before = structuredClone(loop.sessionIndex.get(id));
    expect((await ask('POST', path, hook('Stop', { transcript_path: '/etc/passwd' }), without)).status).toBe(
      200,
    );
    expect(loop.sessionIndex.get(id)).toEqual(before);
    const reported = loop.sessionIndex.get(`${id}@unverified`);
    expect(reported).toMatchObject({
      origin: 'unverified',
      pid: null,
      pane: null,
      transcript: null,
      managed: false,
    });
    expect(events().at(-1)?.context).toMatchObject({ posted: true, unverified: true, origin: 'unverified' });
    // Management is refused, also with the owner's token.
    expect((await ask('POST', `/sessions/${id}@unverified/message`, '{"text":"x"}')).status).toBe(409);
    // The other routes still need a token.
    for (const [method, route] of [
      ['GET', '/sessions'],
      ['GET', '/events'],
      ['POST', `/sessions/${id}/message`],
    ] as const)
      expect((await ask(method, route, undefined, { Authorization: '' })).status).toBe(401);
  },
);

test.each([
  ['its own Origin', { Origin: 'http://127.0.0.1:PORT' }, 403],
  ['a foreign Origin', { Origin: 'https://evil.example' }, 403],
  ['an opaque Origin', { Origin: 'null' }, 403],
  ['a browser without Origin', { 'Sec-Fetch-Site': 'none' }, 403],
  ['a proxy', { 'X-Forwarded-For': '10.0.0.1' }, 401],
  ['another Host that is allowed', { Host: 'hub.example' }, 401],
  ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
] as [string, Record<string, string>, number][])('open ingest refuses %s', async (_, headers, status) => {
  const pipeline = await openPipeline();
  Object.assign(pipeline.core.config, { ingest: 'open', allowHosts: ['hub.example'] });
  const { ask, port, events } = await openTestServer(pipeline);
  const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(port))]);
  const all = { Authorization: '', ...(Object.fromEntries(sent) as Record<string, string>) };
  expect((await ask('POST', '/event', hook('Stop'), all)).status).toBe(status);
  expect(events()).toEqual([]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.0.9', false],
  ['::ffff:10.0.0.1', false],
  ['127.0.0.1.evil', false],
  [undefined, false],
])('open ingest for a caller at %s: %s', (remoteAddress, isAccepted) => {
  const rules = {
    tokenOf: () => null,
    acceptPage: () => null,
    inside: { isAllowed: false, isAgentOf: () => false, isSame: () => false, hasStarted: () => false },
    port: () => 4000,
    openIngest: true,
  };
  const request = {
    headers: { host: 'localhost:4000' },
    socket: { remoteAddress },
  } as unknown as IncomingMessage;
  const ask = () => authenticate(request, 'ingest', rules);
  if (isAccepted) expect(ask().caller).toMatchObject({ kind: 'unverified', rights: ['ingest'] });
  else expect(ask).toThrow(/token/i);
});

test.each([
  ['172.17.0.1', {}, true],
  ['::ffff:172.17.0.1', {}, true],
  ['127.0.0.1', {}, true],
  ['172.18.0.1', {}, false],
  ['172.17.0.1', { 'x-forwarded-for': '10.0.0.1' }, false],
  ['172.17.0.1', { authorization: 'Bearer wrong' }, false],
] as [string, Record<string, string>, boolean][])(
  'open ingest for a caller at %s with %j, where a subnet is configured: %s',
  (remoteAddress, headers, isAccepted) => {
    const rules = {
      tokenOf: () => null,
      acceptPage: () => null,
      port: () => 4000,
      openIngest: true,
      ingestFrom: ['172.17.0.0/16'],
    };
    const request = { headers: { host: 'localhost:4000', ...headers }, socket: { remoteAddress } };
    const ask = () => authenticate(request as unknown as IncomingMessage, 'ingest', rules);
    if (isAccepted) expect(ask().caller).toMatchObject({ kind: 'unverified', rights: ['ingest'] });
    else expect(ask).toThrow(/token/i);
    expect(() => authenticate(request as unknown as IncomingMessage, 'read', rules)).toThrow(/token/i);
    const fromPage = { ...request, headers: { ...request.headers, origin: 'http://localhost:4000' } };
    if (!('authorization' in headers))
      expect(() => authenticate(fromPage as unknown as IncomingMessage, 'ingest', rules)).toThrow(/browser/i);
  },
);

test('an event from the container of a session that Drover started there belongs to that session, if it names its pane', async () => {
  const { ask, loop } = await openTestServer();
  const place = { socket: '/box/tmux', serverPid: 9, pane: '%4', pid: 12, foreignPids: true };
  const intent = ownEvent('Launching', id, 1, { cwd: '/shop', tmux: 'claude-a', socket: place.socket });
  await loop.append([{ draft: intent }, { draft: ownEvent('Launched', id, 2, {}, place) }]);
  const from = { 'X-Drover-Host': 'box', 'X-Tmux': '/box/tmux,9,0', 'X-Tmux-Pane': '%4' };
  await ask('POST', '/event', hook('UserPromptSubmit'), from);
  expect(loop.sessionIndex.get(id)).toMatchObject({
    state: 'working',
    pid: null,
    host: null,
    pane: { id: '%4', pid: 12, foreign: true },
  });
  for (const other of [{ 'X-Tmux-Pane': '%5' }, { 'X-Tmux': '/other,9,0' }])
    await ask('POST', '/event', hook('SessionEnd'), { ...from, ...other });
  expect(loop.sessionIndex.get(id)?.state).toBe('working');
  expect(loop.sessionIndex.get(`${id}@box`)?.state).toBe('ended');
});
