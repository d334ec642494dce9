/** What another host may ask of this one. */
import { expect, test } from 'vitest';
import type { AuditPage } from '../../contract/audit.ts';
import type { Caller } from '../../contract/caller.ts';
import { rights, type Right } from '../../contract/rights.ts';
import { type Route, type RouteId, routes } from '../../contract/routes.ts';
import type { SessionList } from '../../contract/api.ts';
import type { AnswerContent } from '../../fleet/command/command.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { openTestServer } from '../../testing/server.ts';
import { testPeers } from '../../testing/peers.ts';
import { isForHosts } from './host-calls.ts';
import { namesSession } from './forward.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const table: readonly (Route & { id: RouteId })[] = routes;

const seat = (...given: Right[]): Caller => ({
  kind: 'host',
  name: 'laptop (cli)',
  session: null,
  rights: given,
});

const call = (route: string, more: object = {}) => ({
  to: 'aaaaaaaaaaaaaaaa',
  route,
  params: { id: '' },
  query: {},
  headers: {},
  body: null,
  caller: { kind: 'cli', name: null, session: null },
  key: 'k'.repeat(20),
  at: 0,
  expires: 0,
  ...more,
});

const codeOf = ({ json }: AnswerContent): string | undefined =>
  (json as { error?: { code: string } } | undefined)?.error?.code;

test('every route that names a session says whether the fleet carries it', () => {
  expect(table.filter(route => namesSession(route) && route.remote === undefined).map(one => one.id)).toEqual(
    [],
  );
});

test('a host may ask only what the table marks, with the right for it; never what takes a person', async () => {
  const { ofHosts } = await openTestServer();
  const everything = seat(...rights);
  for (const route of table) {
    const code = codeOf(await ofHosts(call(route.id, { params: { id: 'ffffffff' } }), everything));
    expect([route.id, code === 'forbidden']).toEqual([route.id, !isForHosts(route)]);
    const without = seat(...rights.filter(right => right !== route.level && right !== 'admin'));
    const denied = codeOf(await ofHosts(call(route.id, { params: { id: 'ffffffff' } }), without));
    expect([route.id, denied]).toEqual([route.id, 'forbidden']);
  }
  const open = table
    .filter(isForHosts)
    .filter(({ level }) => level === 'person' || level === 'local' || level === 'open');
  expect(open).toEqual([]);
  expect(codeOf(await ofHosts(call('followAll'), everything))).toBe('forbidden');
});

test('a route that this version does not know is `host_too_old`; ids and bodies are checked as over HTTP', async () => {
  const { ofHosts } = await openTestServer();
  const may = seat('admin');
  expect(codeOf(await ofHosts(call('fly'), may))).toBe('host_too_old');
  expect(codeOf(await ofHosts(call('readSession', { params: { id: '../etc' } }), may))).toBe('bad_id');
  expect(codeOf(await ofHosts(call('readSession', { params: { id: 'ffffffff' } }), may))).toBe('no_session');
  expect(codeOf(await ofHosts(call('setTags', { params: { id }, body: ['x'] }), may))).toBe('bad_json');
  expect(codeOf(await ofHosts(call('setTags', { params: { id }, body: { add: 1 } }), may))).toBe(
    'bad_request',
  );
  expect(codeOf(await ofHosts(call('setTags', { params: { id }, body: null }), seat('read')))).toBe(
    'forbidden',
  );
});

test('what a host does or is refused is in the audit with its name', async () => {
  const { ofHosts, loop, ask } = await openTestServer();
  await loop.append([{ draft: hookDraft('SessionStart', { session_id: id }) }]);
  const done = await ofHosts(call('setTags', { params: { id }, body: { add: ['urgent'] } }), seat('drive'));
  expect(done).toMatchObject({ status: 200, json: { id, tags: ['urgent'] } });
  await ofHosts(call('setTags', { params: { id }, body: { add: ['b'] } }), seat('read'));
  const { entries } = (await ask('GET', '/audit')).json() as AuditPage;
  expect(
    entries.map(({ action, sessionId, caller, result, text }) => [action, sessionId, caller, result, text]),
  ).toEqual([
    ['tag', id, { kind: 'host', name: 'laptop (cli)', session: null }, 'ok', '+urgent'],
    ['tag', id, { kind: 'host', name: 'laptop (cli)', session: null }, 'forbidden', null],
  ]);
});

test('a call of a host is never sent on: lists are of this machine, and ids of other hosts name nothing', async () => {
  const other = await openTestServer();
  await other.loop.append([{ draft: hookDraft('SessionStart', { session_id: id }) }]);
  const peers = testPeers({ devbox: { server: other } });
  const { ofHosts, ask } = await openTestServer(undefined, undefined, undefined, peers);
  expect(((await ask('GET', '/sessions')).json() as SessionList).sessions).toHaveLength(1);
  const listed = await ofHosts(call('listSessions', { query: { scope: 'all' } }), seat('read'));
  expect(listed.json).toEqual({ sessions: [] });
  for (const given of [id, `${id}@devbox`])
    expect(codeOf(await ofHosts(call('readSession', { params: { id: given } }), seat('read')))).toBe(
      'no_session',
    );
  expect(
    codeOf(await ofHosts(call('createSession', { query: { host: 'devbox' }, body: {} }), seat('drive'))),
  ).toBe('bad_request');
  expect(peers.sent).toEqual([]);
});
