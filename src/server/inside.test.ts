/** Requests from inside a Claude Code session. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AuditPage } from '../contract/audit.ts';
import { type Route, routes } from '../contract/routes.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { openTestServer } from '../testing/server.ts';

const agent = 'aaaaaaaa-0000-4000-8000-000000000001';
const watched = 'bbbbbbbb-0000-4000-8000-000000000001';
const other = 'cccccccc-0000-4000-8000-000000000001';

const reserved = (routes as readonly Route[]).filter(
  ({ inside }) => inside === 'never' || inside === 'agents',
);

/** Three sessions in panes; the first is the agent of the second. */
const opened = async () => {
  const server = await openTestServer();
  const entry = { agent_id: 'warden', sessions: ['bbbbbbbb', 'aaaaaaaa'], deliver: { session: agent } };
  writeFileSync(server.paths.config, JSON.stringify({ agents: [entry] }));
  const place = (pane: string) => ({ socket: '/nowhere/s', serverPid: 1, pane });
  await server.loop.append(
    [agent, watched, other].map((session_id, n) => ({
      draft: hookDraft('SessionStart', { session_id, cwd: '/w', source: 'startup' }, place(`%${n}`)),
    })),
  );
  const from = async (session: string, route: Route, target: string) => {
    const path = route.path.replace(':id', target);
    const headers = { 'X-Drover-Session': session };
    const { status, text } = await server.askLocal(
      route.method,
      path,
      route.method === 'POST' ? '[]' : undefined,
      headers,
    );
    return status < 400 ? 'ok' : (JSON.parse(text) as { error: { code: string } }).error.code;
  };
  return { ...server, from };
};

const route = (id: string) => reserved.find(one => one.id === id) as Route;

test('these routes are reserved for people', () => {
  const ids = (inside: string) =>
    reserved
      .filter(one => one.inside === inside)
      .map(({ id }) => id)
      .sort();
  expect(ids('agents')).toEqual([
    'actOnMenu',
    'answerSession',
    'askSession',
    'cancelCommands',
    'runCommands',
  ]);
  expect(ids('never')).toEqual([
    'addToken',
    'cancelContinuation',
    'listTokens',
    'makeTicket',
    'parkSession',
    'pressKeys',
    'removeToken',
    'removeWorktree',
    'renewToken',
    'revokeDevice',
    'rotateToken',
    'scheduleContinuation',
    'setAllApprovals',
    'setApprovals',
    'setDriven',
    'subscribePush',
  ]);
});

test('each of them is refused to a session, and the audit names the session', async () => {
  const { ask, from } = await opened();
  for (const one of reserved) expect([one.id, await from(other, one, watched)]).toEqual([one.id, 'nested']);
  const { entries } = (await ask('GET', `/audit?session=${other}`)).json() as AuditPage;
  expect(entries).toHaveLength(reserved.filter(({ audit }) => audit !== undefined).length);
  for (const { caller, result } of entries) expect([caller.session, result]).toEqual([other, 'nested']);
});

test('an agent may answer and use menus on the sessions that it watches, never on itself or on others', async () => {
  const { from } = await opened();
  for (const one of reserved) {
    const isForAgents = one.inside === 'agents';
    // Past the check, the body is found to be no object, or nothing is there to cancel.
    expect([one.id, (await from(agent, one, watched)) === 'nested']).toEqual([one.id, !isForAgents]);
    expect([one.id, await from(agent, one, agent)]).toEqual([one.id, 'nested']);
    expect([one.id, await from(agent, one, other)]).toEqual([one.id, 'nested']);
  }
  expect(await from(watched, route('answerSession'), agent)).toBe('nested');
});

test('after /clear the agent is known by its old id and its new one', async () => {
  const { from, loop } = await opened();
  const fresh = 'dddddddd-0000-4000-8000-000000000001';
  const place = { socket: '/nowhere/s', serverPid: 1, pane: '%0' };
  await loop.append([
    { draft: hookDraft('SessionEnd', { session_id: agent, reason: 'clear' }, place) },
    { draft: hookDraft('SessionStart', { session_id: fresh, source: 'clear', cwd: '/w' }, place) },
  ]);
  for (const id of [agent, fresh]) {
    expect(await from(id, route('answerSession'), watched)).toBe('bad_json');
    expect(await from(id, route('answerSession'), fresh)).toBe('nested');
    expect(await from(id, route('answerSession'), agent)).toBe('nested');
  }
});

test('a session may message, interrupt and stop others, not itself', async () => {
  const { from } = await opened();
  const acts = (routes as readonly Route[]).filter(one => one.inside === 'others');
  expect(acts.map(one => one.id).sort()).toEqual(['interruptSession', 'sendMessage', 'stopSession']);
  for (const one of acts) {
    expect([one.id, await from(other, one, other)]).toEqual([one.id, 'nested']);
    expect([one.id, await from(other, one, 'cccccccc')]).toEqual([one.id, 'nested']);
    expect([one.id, await from(other, one, watched)]).not.toContain('nested');
  }
});

test('a session that its environment does not name is refused too', async () => {
  const { from } = await opened();
  expect(await from('?', route('answerSession'), watched)).toBe('nested');
});
