import { expect, test } from 'vitest';
import type { AuditEntry, AuditPage } from '../contract/audit.ts';
import { DroverError } from '../contract/error.ts';
import type { Ticket } from '../contract/page.ts';
import { actionName } from '../session/action.ts';
import { fireAndFollow } from '../testing/held-request.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { openTestServer } from '../testing/server.ts';
import { entryOf } from '../testing/sign-in.ts';
import { sha256 } from '../sha256.ts';
import { readTokens, writeTokens } from '../files/token-file.ts';
import { Retention } from './retention.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const asks = { tool_name: 'Bash', tool_input: { command: 'git push --force' } };

/** A server with one session, and its audit. */
const opened = async (clock?: { now: () => number }) => {
  const server = await openTestServer(undefined, clock);
  await server.loop.append([{ draft: hookDraft('SessionStart', { source: 'startup', cwd: '/w' }) }]);
  const audit = async (query = ''): Promise<AuditEntry[]> =>
    ((await server.ask('GET', `/audit${query}`)).json() as AuditPage).entries;
  return { ...server, audit };
};

test('an answer is recorded with its request, its result and its caller', async () => {
  const server = await opened();
  const { ask, askLocal, audit, loop, paths } = server;
  writeTokens(paths.tokens, [
    { name: 'ci', rights: ['answer'], hash: sha256('secret'), createdAt: 0, usedAt: null },
  ]);
  await askLocal('POST', `/sessions/${id}/approvals`, '{"approvals":"held"}', { 'X-Drover-Client': 'cli' });
  const hook = fireAndFollow(server, id, asks);
  await expect.poll(() => loop.sessionIndex.get(id)?.pending).not.toBeNull();
  const answer = () =>
    ask('POST', `/sessions/${id}/answer`, '{"behavior":"allow"}', { Authorization: 'Bearer secret' });
  expect((await answer()).status).toBe(200);
  await hook;
  expect((await answer()).status).toBe(409);
  expect(await audit(`?session=aaaaaaaa`)).toMatchObject([
    { action: 'hold', caller: { kind: 'cli', name: null, session: null }, result: 'ok', text: 'held' },
    {
      action: 'answer',
      sessionId: id,
      caller: { kind: 'token', name: 'ci' },
      request: { tool: 'Bash', hash: sha256('{"command":"git push --force"}') },
      result: 'ok',
      text: 'allow',
      message: null,
    },
    {
      action: 'answer',
      caller: { name: 'ci' },
      result: 'request_gone',
      message: expect.any(String) as string,
    },
  ]);
});

test('an attempt without the right is recorded; one without a token is not', async () => {
  const { ask, audit, paths } = await opened();
  writeTokens(paths.tokens, [
    { name: 'ci', rights: ['read'], hash: sha256('secret'), createdAt: 0, usedAt: null },
  ]);
  const stop = (Authorization: string) => ask('DELETE', `/sessions/${id}`, undefined, { Authorization });
  expect((await stop('Bearer secret')).status).toBe(403);
  expect((await stop('')).status).toBe(401);
  expect(await audit()).toMatchObject([
    { action: 'stop', sessionId: id, caller: { kind: 'token', name: 'ci' }, result: 'forbidden' },
  ]);
});

test('an action changes nothing of its session', async () => {
  const { ask, loop, events } = await opened();
  const before = structuredClone(loop.sessionIndex.get(id));
  await ask('POST', `/sessions/${id}/interrupt`);
  expect(events().map(({ name }) => name)).toContain(actionName);
  expect(loop.sessionIndex.get(id)).toEqual(before);
});

test('an action on an ended session does not open its stream again', async () => {
  const { ask, follow, loop } = await opened();
  await loop.append([{ draft: hookDraft('SessionEnd', { reason: 'other' }) }]);
  const last = loop.sessionIndex.get(id)?.seq ?? 0;
  await ask('POST', `/sessions/${id}/message`, '{"text":"hello"}');
  const again = await follow(`/sessions/${id}/events`, { 'Last-Event-ID': String(last) });
  expect(again.response.statusCode).toBe(204);
});

test('`forget` removes the texts and keeps time, caller, action, tool and result', async () => {
  const { ask, audit, loop, store } = await opened();
  await ask('POST', `/sessions/${id}/message`, '{"text":"the secret plan"}');
  await loop.append([{ draft: hookDraft('PermissionRequest', asks) }]);
  await ask('POST', `/sessions/${id}/menu`, '{"action":"choose","option":"Yes, push the secret plan"}');
  const before = await audit();
  expect(JSON.stringify(before)).toContain('the secret plan');
  await ask('POST', '/forget', JSON.stringify({ id }));
  const after = await audit();
  expect(after.slice(0, 2)).toEqual(
    before.map(entry => ({
      ...entry,
      text: null,
      message: null,
      request: entry.request && { ...entry.request, hash: null },
    })),
  );
  expect(after[1]).toMatchObject({ action: 'menu', result: 'refused', request: { tool: 'Bash' } });
  expect(after[2]).toMatchObject({ action: 'forget', result: 'ok', text: id, sessionId: null });
  expect(await audit('?session=aaaaaaaa')).toHaveLength(2);
  expect(store.log.read({ after: 0, rows: 100 }).some(({ raw }) => String(raw).includes('secret plan'))).toBe(
    false,
  );
});

test('what retention cuts from the log loses its texts in the audit, until it is too old altogether', async () => {
  let now = Date.now();
  const clock = { now: () => now };
  const { ask, audit, loop, store } = await opened(clock);
  await ask('POST', `/sessions/${id}/message`, '{"text":"hello"}');
  await loop.append([{ draft: hookDraft('SessionEnd', { reason: 'other' }) }]);
  const bounds = { age: 86_400_000, events: 1_000, bytes: 1e6, sessionEvents: 1_000, sessionBytes: 1e6 };
  const retention = new Retention(store, loop.sessionIndex, bounds, clock, (_, error) => {
    throw error;
  });
  await retention.prune();
  expect(await audit()).toMatchObject([{ action: 'message', text: 'hello' }]);
  now += 2 * 86_400_000;
  await retention.prune();
  expect(await audit()).toMatchObject([{ action: 'message', text: null, message: null, result: 'refused' }]);
  now += 500 * 86_400_000;
  await retention.prune();
  expect(await audit()).toEqual([]);
});

test('what cannot be recorded is logged, and the action is done', async () => {
  const { ask, loop, errors, paths } = await opened();
  const append = loop.append.bind(loop);
  loop.append = deliveries =>
    deliveries.some(({ draft }) => draft.name === actionName)
      ? Promise.reject(new DroverError('store_failed'))
      : append(deliveries);
  const added = await ask('POST', '/tokens', '{"name":"ci","rights":["read"]}');
  expect(added.status).toBe(201);
  expect(readTokens(paths.tokens)).toMatchObject([{ name: 'ci' }]);
  expect(errors.join()).toContain('token could not be recorded in the audit');
});

test('entries are found by time and by page', async () => {
  let now = 1_000_000;
  const { ask, audit } = await opened({ now: () => now });
  for (const text of ['one', 'two', 'three']) {
    await ask('POST', `/sessions/${id}/message`, JSON.stringify({ text }));
    now += 1_000;
  }
  const texts = async (query: string) => (await audit(query)).map(({ text }) => text);
  expect(await texts('?since=1001000')).toEqual(['two', 'three']);
  expect(await texts('?last=2')).toEqual(['two', 'three']);
  const [, , third] = await audit();
  expect(await texts(`?before=${third?.seq}&last=1`)).toEqual(['two']);
});

test('a browser that signs in is recorded by its name, a wrong ticket is not', async () => {
  const { ask, askLocal, audit, port } = await opened();
  const own = { 'Sec-Fetch-Site': 'same-origin', Authorization: '' };
  const ticket = (await askLocal('POST', '/page/ticket')).json() as Ticket;
  const enter = (given: Ticket) => ask('POST', '/page/session', entryOf(`127.0.0.1:${port}`, given), own);
  const guessed = { ...ticket, ticket: 'guessed' };
  expect([(await enter(guessed)).status, (await enter(ticket)).status]).toEqual([403, 200]);
  expect(await audit()).toMatchObject([
    { action: 'ticket', caller: { kind: 'socket' } },
    { action: 'sign-in', caller: { kind: 'page', name: expect.stringMatching(/^[0-9a-f]{8}$/) as string } },
  ]);
});
