/** What the hub refuses, and in which words; that each refusal of the route table can happen is shown in refusals.test. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { clientHeader } from '../../contract/caller.ts';
import { routes } from '../../contract/routes.ts';
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import { setDriven } from '../../hub/set-driven.ts';
import { ownEvent } from '../../session/own-event.ts';
import { parkEvents } from '../../session/park.ts';
import { limits } from '../../limits.ts';
import { launchEvents } from '../../session/launch.ts';
import { holdEvents } from '../../session/request/pending.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { claudeDirOf } from '../../testing/home.ts';
import { openTestServer } from '../../testing/server.ts';

const known = 'aaaaaaaa-0000-4000-8000-000000000001';
const ended = 'aaaaaaaa-0000-4000-8000-000000000002';
const managed = 'bbbbbbbb-0000-4000-8000-000000000001';
const fresh = 'cccccccc-0000-4000-8000-000000000001';

/** A server with two adopted sessions, one of them ended, and one that the hub started under a key. */
const setUp = async (drive?: DrivePolicy['mode']) => {
  const server = await openTestServer(undefined, undefined, drive);
  const launch = { cwd: '/', name: 'nightly', approvals: 'terminal', tmux: 'claude-bbbbbbbb', key: 'k1' };
  // Without a process, so that the test stops nothing real.
  const place = { socket: '/nowhere', serverPid: 1, pane: '%1' };
  await server.loop.append([
    { draft: hookDraft('SessionStart', { session_id: known, cwd: '/w' }) },
    { draft: hookDraft('SessionStart', { session_id: ended, cwd: '/w' }) },
    { draft: hookDraft('SessionEnd', { session_id: ended, reason: 'other' }) },
    { draft: ownEvent(launchEvents.intended, managed, Date.now(), launch) },
    { draft: ownEvent(launchEvents.done, managed, Date.now(), {}, place) },
    { draft: hookDraft('SessionStart', { session_id: managed, cwd: '/' }) },
  ]);
  const create = (fields: object, headers = {}, query = '') =>
    server.ask(
      'POST',
      `/sessions${query}`,
      JSON.stringify({ session_id: fresh, cwd: '/', ...fields }),
      headers,
    );
  const send = (id: string, text: string, more = {}) =>
    server.ask('POST', `/sessions/${id}/message`, JSON.stringify({ text, ...more }));
  return { ...server, create, send };
};

const bodies: Record<string, string> = {
  sendMessage: '{"text":"hello"}',
  pressKeys: '{"keys":["Enter"]}',
  actOnMenu: '{"action":"enter"}',
  askSession: '{"answers":{"Which size?":"Large"}}',
  runCommands: '{"commands":["/clear"]}',
  setApprovals: '{"approvals":"held"}',
  setDriven: '{"on":false}',
  answerSession: '{"behavior":"allow"}',
};

const driving = ['sendMessage', 'pressKeys', 'actOnMenu', 'runCommands', 'interruptSession', 'stopSession'];

const drives = async (ask: Awaited<ReturnType<typeof setUp>>['ask'], id: string, session: string) => {
  const route = routes.find(route => route.id === id);
  return ask(route?.method ?? '', route?.path.replace(':id', session) ?? '', bodies[id]);
};

test.each(driving)(
  '%s: a session that was not started through the hub is refused, and the setting is named, held or not',
  async id => {
    const { ask, loop } = await setUp();
    await loop.append([{ draft: ownEvent(holdEvents.approvals, known, Date.now(), { approvals: 'held' }) }]);
    expect(loop.sessionIndex.get(known)?.approvals).toBe('held');
    const answer = await drives(ask, id, known);
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({
      error: { code: 'refused', hint: expect.stringContaining('`drover drive ') as string },
    });
  },
);

test.each([
  ...driving,
  'answerSession',
  'askSession',
  'cancelCommands',
  'readMenu',
  'setApprovals',
  'setDriven',
])('%s: of a conversation that was cleared, the one that followed it is named', async id => {
  const { ask, askLocal, loop } = await setUp();
  const pane = { socket: '/nowhere', serverPid: 1, pane: '%1' };
  await loop.append([
    { draft: hookDraft('SessionEnd', { session_id: managed, reason: 'clear' }, pane) },
    { draft: hookDraft('SessionStart', { session_id: fresh, source: 'clear', cwd: '/' }, pane) },
  ]);
  const answer = await drives(id === 'setDriven' ? askLocal : ask, id, managed);
  expect([answer.status, answer.json()]).toMatchObject([
    409,
    { error: { code: 'refused', message: `bbbbbbbb was followed by ${fresh}.` } },
  ]);
});

test.each(['sendMessage', 'pressKeys', 'interruptSession', 'stopSession'])(
  '%s: on the board a person drives every session of theirs, unless `drive` is "none"; a command does not',
  async id => {
    const route = routes.find(route => route.id === id);
    const by = async (client: string, drive?: DrivePolicy['mode']) => {
      const { askLocal } = await setUp(drive);
      const path = route?.path.replace(':id', known) ?? '';
      return (await askLocal(route?.method ?? '', path, bodies[id], { [clientHeader]: client })).text;
    };
    expect(await by('board')).not.toContain('may not type into it');
    expect(await by('cli')).toContain('may not type into it');
    expect(await by('board', 'none')).toContain('`drive` is');
  },
);

test('only a person may let programs type into a session of a person', async () => {
  const { ask, loop } = await setUp();
  const asked = await ask('POST', `/sessions/${known}/drive`, '{"on":true}');
  expect(asked.json()).toMatchObject({
    error: { code: 'forbidden', message: expect.stringContaining('person') },
  });
  expect(loop.sessionIndex.get(known)?.driven).toBe(false);
});

test.each(driving)(
  '%s: a session that a person opened is let through, until that is taken back',
  async id => {
    const { ask, loop } = await setUp();
    await setDriven(loop, systemClock, known, true);
    expect((await drives(ask, id, known)).text).not.toContain('may not type into it');
    await setDriven(loop, systemClock, known, false);
    expect((await drives(ask, id, known)).text).toContain('may not type into it');
  },
);

test.each(driving)('%s: with drive "none" not even one of the hub\'s own is driven', async id => {
  const { ask } = await setUp('none');
  const answer = await drives(ask, id, managed);
  expect(answer.json()).toMatchObject({
    error: { code: 'refused', message: expect.stringContaining('`drive` is "none"') },
  });
});

test('a session of somebody else is stopped only where `drive` and `force` both say so', async () => {
  const stop = async (drive: DrivePolicy['mode'], query: string, id = known) => {
    const { ask } = await setUp(drive);
    return (await ask('DELETE', `/sessions/${id}${query}`)).text;
  };
  expect(await stop('managed', '?force=1')).toContain('may not type into it');
  expect(await stop('none', '?force=1')).toContain('`drive` is');
  expect(await stop('all', '')).toContain('force=1');
  // As far as it can be stopped here: its process is not known.
  expect(await stop('all', '?force=1')).toContain('process of aaaaaaaa is not known');
  // `drover down` ends what the hub started, whatever programs may do.
  expect(await stop('none', '?force=1', managed)).toContain('process of bbbbbbbb is not known');
});

test('a message to an ended session is refused with a hint to resume it', async () => {
  const { send } = await setUp();
  expect((await send(ended, 'x')).json()).toMatchObject({
    error: { code: 'refused', hint: expect.stringContaining('resume') },
  });
});

test('a session without messages has an empty list', async () => {
  const { ask } = await setUp();
  expect((await ask('GET', `/sessions/${known}/messages`)).json()).toEqual({ messages: [] });
});

test.each<[string, string, object]>([
  ['white space', ' \n\t ', {}],
  ['an escape, which would end the paste', 'SAY x\x1b[201~\r!touch made', {}],
  ['a bell', 'ding\x07', {}],
  ['a command of two lines', '/model\n!ls', { as: 'command' }],
  ['a shell command', '!ls', { as: 'command' }],
])('%s is not accepted as text', async (_, text, more) => {
  const { send } = await setUp('all');
  expect((await send(managed, text, more)).json()).toMatchObject({ error: { code: 'bad_request' } });
});

test('the id of a session that is known is taken, and so is one that has a transcript', async () => {
  const { create, paths } = await setUp();
  expect((await create({ session_id: known })).json()).toMatchObject({
    error: { code: 'refused', hint: expect.stringContaining('resume') },
  });
  const project = join(claudeDirOf(paths), 'projects', '-w');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, `${fresh}.jsonl`), '{}\n');
  expect((await create({})).json()).toMatchObject({
    error: {
      code: 'refused',
      message: expect.stringContaining('transcript'),
      hint: expect.stringContaining('resume'),
    },
  });
});

test('a repeated start with the same key gives the same session, also when it is running', async () => {
  const { create } = await setUp();
  const again = await create({ session_id: managed.toUpperCase() }, { 'Idempotency-Key': 'k1' });
  expect([again.status, again.json()]).toMatchObject([201, { id: managed, managed: true, name: 'nightly' }]);
  expect((await create({ session_id: managed }, { 'Idempotency-Key': 'k2' })).status).toBe(409);
  expect((await create({ session_id: managed })).status).toBe(409);
});

test('a prompt that cannot be sent starts nothing', async () => {
  const { create, paths } = await setUp();
  expect((await create({ prompt: 'x'.repeat(limits.message.maxBytes + 1) })).status).toBe(413);
  expect((await create({ prompt: '\x1b' })).status).toBe(400);
  const none = await setUp('none');
  expect((await none.create({ prompt: 'hello' })).json()).toMatchObject({
    error: { code: 'refused', message: expect.stringContaining('`drive` is "none"') },
  });
  for (const { managed } of [paths, none.paths])
    expect(existsSync(managed) ? readdirSync(managed) : []).toEqual([]);
});

test('`wait` accepts only `ready`, and the folder must exist', async () => {
  const { create } = await setUp();
  expect((await create({}, {}, '?wait=answered')).text).toContain('ready');
  expect((await create({ cwd: '/no/such/folder' })).json()).toMatchObject({ error: { code: 'bad_request' } });
  expect((await create({ cwd: 'here' })).json()).toMatchObject({ error: { code: 'bad_request' } });
});

test('without a CLI the error says where Drover looks for one', async () => {
  const { create } = await setUp();
  const { status, text } = await create({});
  expect([status, text]).toEqual([500, expect.stringMatching(/No Claude CLI was found.*PATH.*config\.json/)]);
});

test('a parked session of a person can be opened for programs; a message would start it', async () => {
  const { askLocal, loop } = await setUp();
  const at = Date.now();
  await loop.append([
    { draft: ownEvent(parkEvents.begin, known, at, { pid: 1 }) },
    { draft: hookDraft('SessionEnd', { session_id: known, reason: 'other' }, {}, at) },
  ]);
  expect(loop.sessionIndex.get(known)).toMatchObject({ state: 'ended', parked: true });
  const asked = await askLocal('POST', `/sessions/${known}/drive`, '{"on":true}');
  expect([asked.status, asked.json()]).toMatchObject([200, { driven: true, parked: true }]);
});
