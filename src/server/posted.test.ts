import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Caller } from '../contract/caller.ts';
import type { Session } from '../contract/session.ts';
import type { Folded } from '../session/memory.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { openTestServer } from '../testing/server.ts';
import { keptUnder, originOf } from './posted.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const hook = (name: string, fields: object = {}) =>
  JSON.stringify({ session_id: id, hook_event_name: name, ...fields });
const spot = { socket: '/s', serverPid: 9, pane: '%1', pid: 4_000_000 };
const evil = { 'X-Drover-Host': 'evil' };

const spooled = async () => {
  const server = await openTestServer();
  await server.loop.take([{ draft: hookDraft('SessionStart', { cwd: '/shop' }, spot) }]);
  return { ...server, local: () => server.loop.sessionIndex.get(id) as Folded };
};

test.each([
  ['another host', evil],
  ['this host', {}],
  ['the process of another session', { 'X-Claude-Pid': '4000000' }],
  ['the pane of another session', { 'X-Tmux-Pane': '%1', 'X-Tmux': '/s,9,0' }],
] as [string, Record<string, string>][])(
  'an event that is posted with %s changes nothing of a session that the spool told of',
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
  await loop.take([{ draft: hookDraft('SessionStart', { cwd: '/shop' }, spot) }]);
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
  await loop.take([{ draft: hookDraft('SessionEnd', { session_id: `${id}@evil` }) }]);
  expect(loop.sessionIndex.get(`${id}@evil`)).toMatchObject({ state: 'ready', origin: 'evil' });
});

test('the token of the owner reports a session on this machine until the spool does', async () => {
  const { ask, loop } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart', { cwd: '/shop' }));
  await ask('POST', '/event', hook('UserPromptSubmit'));
  expect(loop.sessionIndex.get(id)).toMatchObject({ state: 'working', origin: null, pid: null, pane: null });
  await loop.take([{ draft: hookDraft('SessionStart', {}, spot) }]);
  await ask('POST', '/event', hook('UserPromptSubmit'));
  expect(loop.sessionIndex.get(id)).toMatchObject({ state: 'ready' });
  expect(loop.sessionIndex.get(`${id}@post`)).toMatchObject({ state: 'working', origin: 'post' });
});

test('the plain id and a prefix of it find what an origin reports, unless a session here has it', async () => {
  const { ask, follow, loop } = await openTestServer();
  const body = hook('UserPromptSubmit', { prompt: 'x' });
  await ask('POST', '/event', body, { 'X-Drover-Host': 'devbox' });
  const read = async (name: string) => (await ask('GET', `/sessions/${name}`)).json() as Session;
  for (const name of [id, id.slice(0, 8), `${id}@devbox`, `${id}%40devbox`, `${id.slice(0, 8)}@dev`])
    expect(await read(name)).toMatchObject({ id: `${id}@devbox`, origin: 'devbox', host: 'devbox' });
  const stream = await follow(`/sessions/${id}/events?after=0`);
  expect((await stream.next(({ event }) => event === 'hook')).data).toBe(body);
  expect((await ask('GET', `/log?session=${id}`)).json()).toMatchObject({
    events: [{ sessionId: `${id}@devbox`, context: { origin: 'devbox' }, payload: { session_id: id } }],
  });
  await loop.take([{ draft: hookDraft('SessionStart', {}, spot) }]);
  for (const name of [id, id.slice(0, 8)]) expect(await read(name)).toMatchObject({ id, origin: null });
  expect(await read(`${id.slice(0, 8)}@devbox`)).toMatchObject({ origin: 'devbox' });
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
  const keys = ['a', 'b', null].map(origin => keptUnder(origin, draft, '123.abcdef').key);
  expect(new Set(keys).size).toBe(3);
});
