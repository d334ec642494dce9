import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ticket } from '../../contract/page.ts';
import { limits } from '../../limits.ts';
import { openPipeline } from '../../testing/pipeline.ts';
import { openTestServer, type TestServer, token } from '../../testing/server.ts';
import { enter, entryOf, signIn } from '../../testing/sign-in.ts';

const own = { 'Sec-Fetch-Site': 'same-origin', Authorization: '' };

const ticketOf = async ({ askLocal }: TestServer) =>
  (await askLocal('POST', '/page/ticket')).json() as Ticket;

test('a ticket becomes a cookie for this port that no script reads, and a key that is never sent; both are needed', async () => {
  const server = await openTestServer();
  const { ask, port } = server;
  const ticket = await ticketOf(server);
  const entry = (headers: Record<string, string>) =>
    ask('POST', '/page/session', entryOf(`127.0.0.1:${port}`, ticket), headers);
  expect((await entry({ Authorization: '' })).json()).toMatchObject({ error: { code: 'bad_origin' } });
  const page = await enter(server, ticket);
  const set = page.entered.headers['set-cookie']?.[0] ?? '';
  expect(set).toMatch(
    new RegExp(`^drover-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
  );
  expect((await entry(own)).json()).toMatchObject({ error: { code: 'bad_ticket' } });
  const status = async (headers: Record<string, string>) =>
    (await page.ask('GET', '/sessions', undefined, headers)).status;
  expect(await status({ Cookie: `theme=dark; ${page.Cookie}` })).toBe(200);
  expect(await status({ 'X-Drover-Page': '' })).toBe(401);
  expect(await status({ Cookie: '' })).toBe(401);
  expect(await status({ 'Sec-Fetch-Site': '' })).toBe(401);
  expect(await status({ 'Sec-Fetch-Site': 'none' })).toBe(401);
  expect(await status({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
  const left = await page.ask('DELETE', '/page/session');
  expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect(await status({})).toBe(401);
});

test('a proof holds for one request: not twice, not for another path, query, method, body or Host, not late', async () => {
  const pipeline = await openPipeline();
  let now = 1_000_000;
  const clock = { ...pipeline.core.clock, now: () => now, elapsed: () => now };
  const server = await openTestServer(pipeline, clock);
  const { ask, port } = server;
  const page = await signIn(server);
  const headers = await page.headers('GET', '/sessions?state=working');
  const status = async (method: string, path: string, more: Record<string, string>, body?: string) =>
    (await ask(method, path, body, more)).status;
  expect(await status('GET', '/sessions', headers)).toBe(401);
  expect(await status('GET', '/sessions?state=ended', headers)).toBe(401);
  expect(await status('DELETE', '/sessions?state=working', headers)).toBe(401);
  expect(await status('GET', '/sessions?state=working', { ...headers, Host: `localhost:${port}` })).toBe(401);
  expect(await status('GET', '/sessions?state=working', headers)).toBe(200);
  expect(await status('GET', '/sessions?state=working', headers)).toBe(401);
  const posted = await page.headers('POST', '/forget', '{"session":"aaaaaaaa"}');
  expect(await status('POST', '/forget', posted, '{"session":"bbbbbbbb"}')).toBe(401);
  const late = await page.headers('GET', '/sessions');
  now += limits.page.requestAge + 1;
  expect(await status('GET', '/sessions', late)).toBe(401);
});

test('requests of a page may overtake each other; a channel that is closed accepts none', async () => {
  const server = await openTestServer();
  const page = await signIn(server);
  const status = async (headers: Record<string, string>) =>
    (await server.ask('GET', '/sessions', undefined, headers)).status;
  const [first, second] = [await page.headers('GET', '/sessions'), await page.headers('GET', '/sessions')];
  expect([await status(second), await status(first), await status(first)]).toEqual([200, 200, 401]);
  const waiting = await page.headers('GET', '/sessions');
  for (let n = 0; n < limits.page.channels; n++) await page.openAnother();
  expect(await status(waiting)).toBe(401);
});

test('a ticket is given over the Unix socket only, not to a token or a page', async () => {
  const server = await openTestServer();
  const refused = { error: { code: 'forbidden', message: expect.stringContaining('Unix socket') as string } };
  expect((await server.ask('POST', '/page/ticket')).json()).toMatchObject(refused);
  const page = await signIn(server);
  expect((await page.ask('GET', '/sessions')).status).toBe(200);
  expect((await page.ask('POST', '/page/ticket')).json()).toMatchObject(refused);
});

test('over the Unix socket a token counts, and only with its rights', async () => {
  const { askLocal } = await openTestServer();
  const as = (bearer: string) =>
    askLocal('POST', '/page/ticket', undefined, { Authorization: `Bearer ${bearer}` });
  expect([(await as(token)).status, (await as('wrong')).status]).toEqual([403, 401]);
});

test('a link to the page may come from anywhere; all else only from the page itself', async () => {
  const { ask, paths } = await openTestServer();
  mkdirSync(join(paths.home, 'web'));
  writeFileSync(join(paths.home, 'web', 'index.html'), '<!doctype html>');
  const visit = {
    Authorization: '',
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  const status = async (path: string, headers: object = {}) =>
    (await ask('GET', path, undefined, { ...visit, ...headers })).status;
  expect(await status('/')).toBe(200);
  expect(await status('/', { 'Sec-Fetch-Dest': 'iframe' })).toBe(403);
  expect(await status('/', { 'Sec-Fetch-Mode': 'no-cors' })).toBe(403);
  expect(await status('/', { Origin: 'http://evil.example' })).toBe(403);
  expect(await status('/page/app.js')).toBe(403);
  expect(await status('/sessions')).toBe(403);
});

test('signing out ends the streams of the browser', async () => {
  const server = await openTestServer();
  const page = await signIn(server);
  const path = '/events?only=state';
  const stream = await server.follow(path, await page.headers('GET', path));
  await stream.next(({ event }) => event === 'state');
  await page.ask('DELETE', '/page/session');
  await stream.ended;
  expect((await page.ask('GET', '/sessions')).status).toBe(401);
});

test('the files of the page are open, compressed and cached', async () => {
  const { ask, paths } = await openTestServer();
  mkdirSync(join(paths.home, 'web', 'chunks'), { recursive: true });
  writeFileSync(join(paths.home, 'web', 'app.js'), 'let a;');
  writeFileSync(join(paths.home, 'web', 'chunks', 'day-ABCD2345.js'), 'let b;');
  const open = { Authorization: '' };
  const plain = await ask('GET', '/page/app.js', undefined, open);
  expect([plain.status, plain.text]).toEqual([200, 'let a;']);
  expect(plain.headers['content-security-policy']).toContain("default-src 'none'");
  const { headers } = await ask('GET', '/page/app.js', undefined, { ...open, 'Accept-Encoding': 'gzip, br' });
  expect(headers['content-encoding']).toBe('gzip');
  const again = await ask('GET', '/page/app.js', undefined, { ...open, 'If-None-Match': headers.etag ?? '' });
  expect(again.status).toBe(304);
  const chunk = await ask('GET', '/page/chunks/day-ABCD2345.js', undefined, open);
  expect([chunk.status, chunk.text]).toEqual([200, 'let b;']);
  expect(chunk.headers['cache-control']).toBe('max-age=31536000, immutable');
  expect(chunk.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect((await ask('GET', '/page/chunks/day-OLD.js', undefined, open)).status).toBe(404);
  for (const name of ['..%2fapp.js', 'day-ABCD2345.js.map'])
    expect((await ask('GET', `/page/chunks/${name}`)).json()).toMatchObject({ error: { code: 'bad_id' } });
  const icon = await ask('GET', '/page/icon.svg?count=7', undefined, open);
  expect(icon.text).toMatch(/<svg .*>7<\/text>/);
  expect((await ask('GET', '/page/icon.svg?count=%3Cscript', undefined, open)).text).not.toContain('script');
});
