/** What the hub refuses, by the route table. */
import { expect, test } from 'vitest';
import { routes } from '../../contract/routes.ts';
import { openDoor } from '../../testing/server.ts';
import { hookDraft } from '../../testing/pipeline.ts';

const known = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A door with two adopted sessions, one of them ended, whose ids begin alike. */
const setUp = async () => {
  const door = await openDoor();
  await door.loop.take([
    { draft: hookDraft('SessionStart', { session_id: known, cwd: '/w' }) },
    { draft: hookDraft('SessionStart', { session_id: `${known.slice(0, -1)}2`, cwd: '/w' }) },
    { draft: hookDraft('SessionEnd', { session_id: `${known.slice(0, -1)}2`, reason: 'other' }) },
  ]);
  return door;
};

const bodies: Record<string, string> = {
  createSession: JSON.stringify({ session_id: 'bbbbbbbb-0000-4000-8000-000000000001', cwd: '/' }),
  sendMessage: '{"text":"hello"}',
  pressKeys: '{"keys":["Enter"]}',
  actOnMenu: '{"action":"enter"}',
  askSession: '{"answers":{"Which size?":"Large"}}',
  runCommands: '{"commands":["/clear"]}',
};

const hubRoutes = routes.filter(({ group }) => group === 'hub');
const ofSession = hubRoutes.filter(({ path }) => path.startsWith('/sessions/:id'));
const withBody = hubRoutes.filter(route => 'body' in route);

test.each(ofSession)(
  '$method $path: a bad id, no session, an ambiguous one',
  async ({ id, method, path }) => {
    const { ask } = await setUp();
    const code = async (session: string) =>
      (await ask(method, path.replace(':id', session), bodies[id])).json() as { error: { code: string } };
    expect((await code('a/b')).error.code).toMatch(/bad_id|not_found/);
    expect((await code('a.b')).error.code).toBe('bad_id');
    expect((await code('ffffffff')).error.code).toBe('no_session');
    expect((await code('aaaaaaaa')).error.code).toBe('ambiguous');
  },
);

test.each(withBody)('$method $path: no JSON, or not of the form', async ({ method, path }) => {
  const { ask } = await setUp();
  const address = path.replace(':id', known);
  expect((await ask(method, address, '{')).json()).toMatchObject({ error: { code: 'bad_json' } });
  const wrong = await ask(method, address, '{"colour":"red"}');
  expect([wrong.status, wrong.json()]).toMatchObject([400, { error: { code: 'bad_request' } }]);
});

test.each(['sendMessage', 'pressKeys', 'actOnMenu', 'runCommands', 'interruptSession', 'stopSession'])(
  '%s: a session that was not started through the hub is refused, and the setting is named',
  async id => {
    const { ask } = await setUp();
    const route = routes.find(route => route.id === id);
    const answer = await ask(route?.method ?? '', route?.path.replace(':id', known) ?? '', bodies[id]);
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({
      error: { code: 'refused', message: expect.stringContaining('`drive`') },
    });
  },
);

test('an ended session takes no message, and is told to be resumed', async () => {
  const { ask } = await setUp();
  const answer = await ask('POST', `/sessions/${known.slice(0, -1)}2/message`, '{"text":"x"}');
  expect(answer.json()).toMatchObject({
    error: { code: 'refused', hint: expect.stringContaining('resume') },
  });
});

test('messages and transcripts that are not there, cursors that are none', async () => {
  const { ask } = await setUp();
  expect((await ask('GET', '/messages/nothing-here')).json()).toMatchObject({
    error: { code: 'no_message' },
  });
  expect((await ask('GET', `/sessions/${known}/transcript`)).json()).toMatchObject({
    error: { code: 'no_transcript' },
  });
  expect((await ask('GET', `/sessions/${known}/transcript?after=x`)).json()).toMatchObject({
    error: { code: 'bad_cursor' },
  });
  expect((await ask('GET', `/sessions/${known}/messages`)).json()).toEqual({ messages: [] });
});

test('the id of a session that is known is taken', async () => {
  const { ask } = await setUp();
  const answer = await ask('POST', '/sessions', JSON.stringify({ session_id: known, cwd: '/' }));
  expect(answer.json()).toMatchObject({
    error: { code: 'refused', hint: expect.stringContaining('resume') },
  });
});
