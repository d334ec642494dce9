import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { NewToken, TokenList } from '../contract/token.ts';
import { openTestServer } from '../testing/server.ts';
import { readTokens } from '../files/token-file.ts';

/** A server, and a way to add tokens to it. */
const opened = async (clock?: { now: () => number }) => {
  const server = await openTestServer(undefined, clock);
  const add = async (name: string, ...rights: string[]) =>
    ((await server.ask('POST', '/tokens', JSON.stringify({ name, rights }))).json() as NewToken).token;
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const status = async (token: string) => (await server.ask('GET', '/sessions', undefined, as(token))).status;
  return { ...server, add, as, status };
};

test('a token is shown once, and only its hash is kept, in a private file', async () => {
  const { ask, add, paths } = await opened();
  const token = await add('ci', 'read', 'answer', 'read');
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(paths.tokens, 'utf8')).not.toContain(token);
  expect(statSync(paths.tokens).mode & 0o777).toBe(0o600);
  const { tokens } = (await ask('GET', '/tokens')).json() as TokenList;
  expect(tokens).toEqual([
    { name: 'ci', rights: ['read', 'answer'], createdAt: expect.any(Number) as number, usedAt: null },
  ]);
});

test('removing a token ends its streams at once, and no others', async () => {
  const { add, ask, as, follow, status } = await opened();
  const [gone, stays] = [await add('gone', 'read'), await add('stays', 'read')];
  const streams = await Promise.all([gone, stays].map(token => follow('/events', as(token))));
  const owner = await follow('/events');
  for (const stream of [...streams, owner]) await stream.next(({ event }) => event === 'state');
  expect((await ask('DELETE', '/tokens/gone')).json()).toMatchObject({ name: 'gone' });
  await streams[0]?.ended;
  expect(await status(gone)).toBe(401);
  expect(await status(stays)).toBe(200);
  expect(streams[1]?.response.complete).toBe(false);
  expect(owner.response.complete).toBe(false);
});

test('a rotated token keeps its name and rights; the old secret and its streams end', async () => {
  const { add, ask, as, follow, status } = await opened();
  const old = await add('ci', 'read');
  const stream = await follow('/events', as(old));
  await stream.next(({ event }) => event === 'state');
  const renewed = (await ask('POST', '/tokens/ci/rotate')).json() as NewToken;
  await stream.ended;
  expect(renewed).toMatchObject({ name: 'ci', rights: ['read'] });
  expect([await status(old), await status(renewed.token)]).toEqual([401, 200]);
});

test('rotating the token of the owner leaves named tokens and their streams', async () => {
  const { add, ask, as, follow, status } = await opened();
  const named = await add('ci', 'read');
  const [stream, owner] = [await follow('/events', as(named)), await follow('/events')];
  for (const one of [stream, owner]) await one.next(({ event }) => event === 'state');
  await ask('POST', '/token/rotate');
  await owner.ended;
  expect((await ask('GET', '/sessions')).status).toBe(401);
  expect([await status(named), stream.response.complete]).toEqual([200, false]);
});

test('the last use is rounded to the minute, and written once a minute', async () => {
  let now = 10 * 60_000 + 1_234;
  const { add, paths, status } = await opened({ now: () => now });
  const token = await add('ci', 'read');
  await status(token);
  expect(readTokens(paths.tokens)[0]?.usedAt).toBe(600_000);
  const { mtimeNs } = statSync(paths.tokens, { bigint: true });
  now += 50_000;
  await status(token);
  expect(statSync(paths.tokens, { bigint: true }).mtimeNs).toBe(mtimeNs);
  now += 10_000;
  await status(token);
  expect(readTokens(paths.tokens)[0]?.usedAt).toBe(660_000);
});

test('a damaged file grants nothing and is not overwritten', async () => {
  const { add, ask, paths, status, errors } = await opened();
  const token = await add('ci', 'read');
  writeFileSync(paths.tokens, '{"tokens": [');
  expect(await status(token)).toBe(401);
  expect(errors.join()).toContain('Could not read the named tokens');
  const refused = await ask('POST', '/tokens', '{"name":"more","rights":["read"]}');
  expect(refused.status).toBe(500);
  expect(readFileSync(paths.tokens, 'utf8')).toBe('{"tokens": [');
});
