import { expect, test } from 'vitest';
import type { SessionList } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { openTestServer } from '../../testing/server.ts';

const one = 'aaaaaaaa-0000-4000-8000-000000000001';
const two = 'bbbbbbbb-0000-4000-8000-000000000002';

const opened = async () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  const server = await openTestServer(await openPipeline(undefined, clock), clock);
  for (const id of [one, two])
    await server.loop.append([
      {
        draft: hookDraft(
          'SessionStart',
          { session_id: id, source: 'startup' },
          { projectDir: '/srv/shop' },
          1_000,
        ),
      },
    ]);
  const post = (path: string, body: object) => server.ask('POST', path, JSON.stringify(body));
  const match = async (text: string) => {
    const { sessions } = (
      await server.ask('GET', `/sessions?match=${encodeURIComponent(text)}`)
    ).json() as SessionList;
    return sessions.map(({ id }) => id);
  };
  return { ...server, post, match };
};

test('a title is given, found and removed again', async () => {
  const { post, match } = await opened();
  const named = (await post(`/sessions/${one}/title`, { title: '  Payments  ' })).json() as Session;
  expect([named.title, named.titleFrom]).toEqual(['Payments', 'person']);
  expect(await match('payments')).toEqual([one]);
  const removed = (await post(`/sessions/${one}/title`, { title: null })).json() as Session;
  expect([removed.title, removed.titleFrom]).toEqual(['shop', 'project']);
  expect(await match('payments')).toEqual([]);
  expect((await post(`/sessions/${one}/title`, { title: '   ' })).status).toBe(400);
});

test('tags are added and removed', async () => {
  const { post } = await opened();
  const tagged = (
    await post(`/sessions/${one}/tags`, { add: ['urgent', 'a/b', 'urgent'] })
  ).json() as Session;
  expect(tagged.tags).toEqual(['a/b', 'urgent']);
  const fewer = (
    await post(`/sessions/${one}/tags`, { add: ['new'], remove: ['urgent', 'x'] })
  ).json() as Session;
  expect(fewer.tags).toEqual(['a/b', 'new']);
  expect((await post(`/sessions/${one}/tags`, { add: ['two words'] })).status).toBe(400);
  const many = Array.from({ length: 20 }, (_, n) => `t${n}`);
  expect((await post(`/sessions/${one}/tags`, { add: many })).status).toBe(409);
});

test('a prefix of an id wins over a title that looks like it', async () => {
  const { post, match } = await opened();
  await post(`/sessions/${two}/title`, { title: 'aaaaaa' });
  expect(await match('aaaaaa')).toEqual([one]);
  expect(await match('aaaaa')).toEqual([two]);
  expect((await match('shop')).sort()).toEqual([one, two]);
});
