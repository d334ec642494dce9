/** What the server never does to the session that it runs in, however that is named. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditPage } from '../contract/audit.ts';
import type { SessionPage } from '../contract/api.ts';
import { actionName } from '../session/action.ts';
import { ownEvent } from '../session/own-event.ts';
import { processStart } from '../platform/processes.ts';
import { openMcp, otherId, ownId, paneOf } from '../testing/mcp.ts';
import { fireAndFollow } from '../testing/held-request.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { tempHome } from '../testing/home.ts';
import { signIn } from '../testing/sign-in.ts';
import { waitFor } from '../testing/wait-for.ts';
import { ownSession } from './own-session.ts';

const fresh = 'dddddddd-0000-4000-8000-000000000001';
const body = (value: unknown) => JSON.stringify(value);
const own = (id = ownId) => ({ id, pids: [4_000_001] });
const acting = [
  ['send_message', { text: 'allow it' }],
  ['answer_request', { request: 1, behavior: 'allow' }],
  ['interrupt_session', {}],
  ['stop_session', {}],
] as const;

/** The refusals of every tool that acts, for a session by this name. */
const refused = async (use: (name: string, input: object) => Promise<unknown>, session: string) => {
  for (const [tool, input] of acting)
    expect([session, tool, await use(tool, { session, ...input })]).toEqual([
      session,
      tool,
      expect.stringContaining('the session that you run in'),
    ]);
};

test('by id, prefix, title and project', async () => {
  const { use, askLocal } = await openMcp(['read', 'answer', 'drive'], own);
  await askLocal('POST', `/sessions/${ownId}/title`, body({ title: 'My own work' }));
  for (const name of [ownId, 'aaaaaaaa', 'My own work', 'own', 'p0']) await refused(use, name);
  expect(await use('read_session', { session: 'own' })).toMatchObject({ session: { isOwn: true } });
  expect(await use('send_message', { session: otherId, text: 'x' })).toContain('drover drive');
});

test('the session before and after a /clear, whichever of them the server knows', async () => {
  let current = ownId;
  const { use, loop } = await openMcp(['read', 'answer', 'drive'], () => own(current));
  await loop.append([
    { draft: hookDraft('SessionEnd', { session_id: ownId, reason: 'clear' }, paneOf(0)) },
    { draft: hookDraft('SessionStart', { session_id: fresh, source: 'clear', cwd: '/w/p0' }, paneOf(0)) },
  ]);
  for (current of [ownId, fresh]) for (const name of [ownId, fresh, 'dddddddd']) await refused(use, name);
});

test('a session of the same process, also before Drover knows that it follows', async () => {
  const { use, loop } = await openMcp(['read', 'answer', 'drive'], () => ({ id: fresh, pids: [4_000_001] }));
  const place = { ...paneOf(0), pid: 4_000_001 };
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { session_id: ownId, prompt: 'x' }, place) }]);
  if (loop.sessionIndex.get(ownId)?.pid !== 4_000_001) throw new Error('The session has no pid.');
  await refused(use, ownId);
});

test('in a session that cannot be identified it only reads', async () => {
  const { use } = await openMcp(['read', 'answer', 'drive'], () => own('unknown'));
  expect(await use('list_sessions')).toMatchObject({ sessions: [{}, {}] });
  const starting = [
    ['start_session', { cwd: '/w/p1' }],
    ['resume_session', {}],
  ] as const;
  for (const [tool, input] of [...acting, ...starting])
    expect([tool, await use(tool, { session: otherId, ...input })]).toEqual([
      tool,
      expect.stringContaining('cannot identify'),
    ]);
});

test('a request of a session that it started is not answered, also after a /clear of either', async () => {
  let current = ownId;
  const { use, loop } = await openMcp(['read', 'answer', 'drive'], () => own(current));
  const answer = (session: string) => use('answer_request', { session, request: 1, behavior: 'allow' });
  const started = (action: string, result: string) => ({
    draft: ownEvent(actionName, otherId, Date.now(), {
      action,
      caller: { kind: 'token', name: 'drover-mcp', session: ownId },
      request: null,
      result,
      text: null,
      message: null,
    }),
  });
  await loop.append([started('resume', 'refused'), started('message', 'ok')]);
  expect(await answer(otherId)).not.toContain('has started');
  await loop.append([started('create', 'ok')]);
  expect(await answer(otherId)).toContain('has started bbbbbbbb');
  const cleared = 'eeeeeeee-0000-4000-8000-000000000001';
  for (const [n, before, after] of [
    [0, ownId, fresh],
    [1, otherId, cleared],
  ] as const)
    await loop.append([
      { draft: hookDraft('SessionEnd', { session_id: before, reason: 'clear' }, paneOf(n)) },
      {
        draft: hookDraft('SessionStart', { session_id: after, source: 'clear', cwd: `/w/p${n}` }, paneOf(n)),
      },
    ]);
  for (current of [ownId, fresh]) expect(await answer(cleared)).toContain('has started eeeeeeee');
});

test('the daemon refuses it too, and the audit names the session', async () => {
  const { ask, askLocal, paths } = await openMcp(['read', 'answer', 'drive'], own);
  const { readGrant } = await import('./daemon.ts');
  const headers = { Authorization: `Bearer ${readGrant(paths)?.token}`, 'X-Drover-Session': ownId };
  const tries = [
    ['POST', 'message', body({ text: 'x' })],
    ['POST', 'answer', body({ behavior: 'allow' })],
    ['POST', 'keys', body({ keys: ['Enter'] })],
    ['POST', 'interrupt', undefined],
  ] as const;
  for (const [method, what, sent] of tries) {
    const answer = await ask(method, `/sessions/aaaaaaaa/${what}`, sent, headers);
    expect([what, answer.json()]).toMatchObject([what, { error: { code: 'nested' } }]);
  }
  expect((await ask('DELETE', `/sessions/${ownId}`, undefined, headers)).json()).toMatchObject({
    error: { code: 'nested' },
  });
  const { entries } = (await askLocal('GET', `/audit?session=${ownId}`)).json() as AuditPage;
  expect(entries.map(({ action, caller, result }) => [action, caller.name, caller.session, result])).toEqual(
    ['message', 'answer', 'keys', 'interrupt', 'stop'].map(action => [action, 'drover-mcp', ownId, 'nested']),
  );
});

test('a request of another session is read with its choices and answered, once the user has granted that', async () => {
  const opened = await openMcp(['read', 'answer', 'drive'], own);
  const { use, ask } = opened;
  const asks = { tool_name: 'Bash', tool_input: { command: 'touch made' } };
  const page = await signIn(opened);
  await page.ask('POST', `/sessions/${otherId}/approvals`, body({ approvals: 'held' }));
  const waiting = fireAndFollow(opened, otherId, asks);
  const id = await waitFor(async () => {
    const { requests } = (await ask('GET', `/sessions/${otherId}`)).json() as SessionPage;
    expect(requests[0]?.until).toBeTypeOf('number');
    return requests[0]?.id;
  });
  expect(await use('read_request', { session: otherId, request: id })).toMatchObject({
    input: asks.tool_input,
    way: 'hook',
    choices: expect.arrayContaining([expect.objectContaining({ choice: 'allow' })]),
  });
  expect(await use('answer_request', { session: otherId, request: id, behavior: 'allow' })).toMatchObject({
    id,
    behavior: 'allow',
    way: 'hook',
  });
  expect(await waiting).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
});

test('its own session is read from the session file of its parent, at each call', () => {
  const paths = tempHome();
  const folder = join(paths.home, '.claude', 'sessions');
  mkdirSync(folder, { recursive: true });
  // This process stands for Claude Code, which started the server.
  const write = (sessionId: string) =>
    writeFileSync(
      join(folder, `${process.pid}.json`),
      body({ pid: process.pid, sessionId, procStart: processStart(process.pid) }),
    );
  const env = { HOME: paths.home, CLAUDE_CODE_SESSION_ID: ownId };
  write(ownId);
  expect(ownSession(env, paths)).toMatchObject({ id: ownId });
  write(fresh);
  expect(ownSession(env, paths)).toMatchObject({ id: fresh });
  expect(ownSession(env, paths)?.pids).toContain(process.pid);
});
