import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import { setDriven } from '../../hub/set-driven.ts';
import { ownEvent } from '../../session/own-event.ts';
import { launchEvents } from '../../session/launch.ts';
import { fireHeld } from '../../testing/held-request.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { openTestServer } from '../../testing/server.ts';
import { signIn } from '../../testing/sign-in.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const path = (what: string, session = id) => `/sessions/${session}/${what}`;
const body = (value: unknown) => JSON.stringify(value);
const asks = { tool_name: 'Write', tool_input: { file_path: '/w/a', content: 'x'.repeat(20_000) } };

/** A server, a session that a person started, and that person's page. */
const opened = async (drive?: DrivePolicy['mode']) => {
  const server = await openTestServer(undefined, undefined, drive);
  server.core.config.approvals = 'terminal';
  await server.loop.append([{ draft: hookDraft('SessionStart', { source: 'startup' }) }]);
  const page = await signIn(server);
  return {
    ...server,
    page,
    /** The session is held, it asks, and its hook waits: returns what that prints. */
    hook: async () => {
      await page.ask('POST', path('approvals'), body({ approvals: 'held' }));
      return fireHeld(server, id, asks);
    },
  };
};

test('a held request is shown in full, and its hook prints the answer', async () => {
  const { ask, hook, loop } = await opened();
  const waiting = hook();
  await expect
    .poll(async () => (await ask('GET', `/sessions/${id}`)).json())
    .toMatchObject({
      approvals: 'held',
      pending: { kind: 'permission', tool: 'Write', input: asks.tool_input, rememberable: false },
    });
  const listed = (await ask('GET', '/sessions')).json() as { sessions: { pending: object }[] };
  expect(Object.keys(listed.sessions[0]?.pending ?? {})).toEqual(['id', 'tool', 'until']);
  const answered = ask('POST', path('answer'), body({ behavior: 'allow' }));
  expect(JSON.parse((await waiting).stdout)).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
  });
  await loop.append([{ draft: hookDraft('PostToolUse', asks) }]);
  expect((await answered).status).toBe(200);
});

test('a request is read with its choices, and answered by one of them', async () => {
  const { ask, hook, loop } = await opened();
  const waiting = hook();
  await expect
    .poll(async () => (await ask('GET', `/sessions/${id}`)).json())
    .toMatchObject({ pending: { tool: 'Write' } });
  const { requests } = (await ask('GET', `/sessions/${id}`)).json() as { requests: { id: number }[] };
  const request = requests[0]?.id as number;
  const read = await ask('GET', path(`requests/${request}`));
  expect([read.status, read.json()]).toMatchObject([
    200,
    {
      id: request,
      input: asks.tool_input,
      way: 'hook',
      choices: [
        { choice: 'allow', effect: 'allow' },
        { choice: 'deny', effect: 'deny', takesMessage: true },
      ],
    },
  ]);
  const none = await ask('POST', path('answer'), body({ id: request, choice: 'allow_always' }));
  expect([none.status, none.json()]).toMatchObject([
    400,
    { error: { message: 'This request has no choice "allow_always".', hint: 'It has allow, deny.' } },
  ]);
  const both = { id: request, choice: 'deny', behavior: 'allow' };
  expect((await ask('POST', path('answer'), body(both))).status).toBe(400);
  const done = ask('POST', path('answer'), body({ id: request, choice: 'deny', message: 'not on main' }));
  expect(JSON.parse((await waiting).stdout)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'deny', message: 'not on main' } },
  });
  await loop.append([{ draft: hookDraft('Stop') }]);
  expect((await done).json()).toMatchObject({ id: request, way: 'hook', choice: 'deny', behavior: 'deny' });
  expect((await ask('GET', path(`requests/${request}`))).json()).toMatchObject({
    error: { code: 'request_gone' },
  });
  expect((await ask('GET', path('requests/x'))).status).toBe(400);
});

test('only a person may let programs answer a session of a person', async () => {
  const { ask, loop, page } = await opened();
  const hold = (by = ask) => by('POST', path('approvals'), body({ approvals: 'held' }));
  const refused = await hold();
  expect([refused.status, refused.json()]).toMatchObject([
    409,
    { error: { code: 'refused', hint: expect.stringContaining('drover hold aaaaaaaa') } },
  ]);
  expect(loop.sessionIndex.get(id)?.approvals).toBe('terminal');
  expect((await hold(page.ask)).json()).toMatchObject({ approvals: 'held' });
  // A program may leave it to its terminal again.
  const left = await ask('POST', path('approvals'), body({ approvals: 'terminal' }));
  expect(left.json()).toMatchObject({ approvals: 'terminal' });
  expect((await hold()).status).toBe(409);
  // Where a person lets programs type into it they may answer too.
  await setDriven(loop, systemClock, id, true);
  expect((await hold()).json()).toMatchObject({ approvals: 'held' });
});

test('programs may hold a session of the hub with any `drive`, and one of a person with "all"', async () => {
  const other = 'bbbbbbbb-0000-4000-8000-000000000001';
  const hold = ({ ask }: Awaited<ReturnType<typeof opened>>, session: string) =>
    ask('POST', path('approvals', session), body({ approvals: 'held' }));
  const none = await opened('none');
  await none.loop.append([{ draft: ownEvent(launchEvents.intended, other, Date.now(), { cwd: '/' }) }]);
  expect((await hold(none, other)).json()).toMatchObject({ managed: true, approvals: 'held' });
  await setDriven(none.loop, systemClock, id, true);
  expect((await hold(none, id)).status).toBe(409);
  expect((await hold(await opened('all'), id)).status).toBe(200);
});

test('subscribers see when a request is held and when it is released', async () => {
  const { ask, hook, follow } = await opened();
  const { frames } = await follow('/events');
  const heldStates = () =>
    frames
      .filter(({ event }) => event === 'state')
      .flatMap(({ data }) => (JSON.parse(data) as { sessions: { pending: object | null }[] }).sessions)
      .map(({ pending }) => pending !== null);
  const waiting = hook();
  await expect.poll(() => heldStates().at(-1)).toBe(true);
  await ask('POST', path('answer'), body({ behavior: 'deny' }));
  await waiting;
  await expect.poll(() => heldStates().at(-1)).toBe(false);
});

test('a released hook prints nothing', async () => {
  const { ask, hook } = await opened();
  const waiting = hook();
  await expect.poll(async () => (await ask('GET', `/sessions/${id}`)).text).toContain('"kind"');
  await ask('POST', path('approvals'), body({ approvals: 'terminal' }));
  expect(await waiting).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each<[number, string, string, string]>([
  [400, 'bad_json', path('answer'), 'allow'],
  [400, 'bad_request', path('answer'), body({ behavior: 'maybe' })],
  [400, 'bad_request', path('answer'), body({ behavior: 'allow', bevahior: 'deny' })],
  [400, 'bad_request', path('answer'), body({ answers: { Size: 3 } })],
  [400, 'bad_request', path('answer'), body({ answers: { Size: [] } })],
  [400, 'bad_id', path('answer', 'x'), body({ behavior: 'allow' })],
  [404, 'no_session', path('answer', 'bbbbbbbb'), body({ behavior: 'allow' })],
  [409, 'refused', path('answer'), body({ behavior: 'allow' })],
  [400, 'bad_json', path('approvals'), 'held'],
  [400, 'bad_request', path('approvals'), body({ approvals: 'perhaps' })],
  [400, 'bad_request', path('approvals'), body({})],
  [404, 'no_session', path('approvals', 'bbbbbbbb'), body({ approvals: 'held' })],
])('%i %s: POST %s', async (status, code, where, sent) => {
  const { ask } = await opened();
  const refused = await ask('POST', where, sent);
  expect(refused.status).toBe(status);
  expect(refused.json()).toMatchObject({ error: { code } });
});

test('an ambiguous prefix is refused, and so is a request without a token', async () => {
  const { ask, loop } = await opened();
  const other = id.replace(/1$/, '2');
  await loop.append([{ draft: hookDraft('SessionStart', { session_id: other, source: 'startup' }) }]);
  const bodies = { answer: { behavior: 'allow' }, approvals: { approvals: 'held' } };
  for (const [what, sent] of Object.entries(bodies))
    expect((await ask('POST', path(what, 'aaaaaaaa'), body(sent))).json()).toMatchObject({
      error: { code: 'ambiguous' },
    });
  for (const where of [path('answer'), path('approvals')])
    expect((await ask('POST', where, '{}', { Authorization: '' })).status).toBe(401);
});

test.each<[string, object, object]>([
  ['has ended', { reason: 'other' }, {}],
  ['runs on elsewhere', {}, { host: 'elsewhere' }],
])('a session that %s cannot be held', async (words, end, context) => {
  const { ask, loop } = await opened();
  const name = 'reason' in end ? 'SessionEnd' : 'UserPromptSubmit';
  await loop.append([{ draft: hookDraft(name, { ...end }, { ...context }) }]);
  const refused = await ask('POST', path('approvals'), body({ approvals: 'held' }));
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(words);
});
