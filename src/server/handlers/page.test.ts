import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PageKey, Ticket } from '../../contract/page.ts';
import { openTestServer } from '../../testing/server.ts';

const own = { 'Sec-Fetch-Site': 'same-origin', Authorization: '' };

/** A server, and a browser that signed in with a ticket. */
const entered = async () => {
  const server = await openTestServer();
  const { ticket } = (await server.askLocal('POST', '/page/ticket')).json() as Ticket;
  const use = (headers: Record<string, string>) =>
    server.ask('POST', '/page/session', JSON.stringify({ ticket }), headers);
  return { ...server, use };
};

test('a ticket becomes a cookie for this port that no script reads, and a key; both are needed', async () => {
  const { ask, use, port } = await entered();
  expect((await use({ Authorization: '' })).json()).toMatchObject({ error: { code: 'bad_origin' } });
  const answer = await use(own);
  const { key } = answer.json() as PageKey;
  const set = answer.headers['set-cookie']?.[0] ?? '';
  expect(set).toMatch(
    new RegExp(`^drover-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
  );
  expect((await use(own)).json()).toMatchObject({ error: { code: 'bad_ticket' } });
  const Cookie = `theme=dark; ${set.split(';')[0] ?? ''}`;
  const status = async (headers: Record<string, string>) =>
    (await ask('GET', '/sessions', undefined, headers)).status;
  expect(await status({ ...own, Cookie, 'X-Drover-Page': key })).toBe(200);
  expect(await status({ ...own, Cookie })).toBe(401);
  expect(await status({ ...own, 'X-Drover-Page': key })).toBe(401);
  expect(await status({ Authorization: '', Cookie, 'X-Drover-Page': key })).toBe(401);
  expect(await status({ ...own, 'Sec-Fetch-Site': 'none', Cookie, 'X-Drover-Page': key })).toBe(401);
  expect(await status({ ...own, 'Sec-Fetch-Site': 'same-site', Cookie, 'X-Drover-Page': key })).toBe(403);
  const left = await ask('DELETE', '/page/session', undefined, { ...own, Cookie, 'X-Drover-Page': key });
  expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect(await status({ ...own, Cookie, 'X-Drover-Page': key })).toBe(401);
});

test('a ticket is given over the Unix socket only, not to a token or a page', async () => {
  const { ask, use } = await entered();
  const refused = { error: { code: 'forbidden', message: expect.stringContaining('Unix socket') as string } };
  expect((await ask('POST', '/page/ticket')).json()).toMatchObject(refused);
  const answer = await use(own);
  const Cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const page = { ...own, Cookie, 'X-Drover-Page': (answer.json() as PageKey).key };
  expect((await ask('GET', '/sessions', undefined, page)).status).toBe(200);
  expect((await ask('POST', '/page/ticket', undefined, page)).json()).toMatchObject(refused);
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
  const { ask, use, follow } = await entered();
  const answer = await use(own);
  const Cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const headers = { ...own, Cookie, 'X-Drover-Page': (answer.json() as PageKey).key };
  const stream = await follow('/events?only=state', headers);
  await stream.next(({ event }) => event === 'state');
  await ask('DELETE', '/page/session', undefined, headers);
  await stream.ended;
  expect((await ask('GET', '/sessions', undefined, headers)).status).toBe(401);
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
