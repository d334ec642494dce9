import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { openTestServer, token } from '../testing/server.ts';
import { authenticate } from './authenticate.ts';

const body = '{"session_id":"aaaaaaaa","hook_event_name":"Stop"}';

test.each([
  ['no token', { Authorization: '' }, 401, 'unauthorized'],
  ['a wrong token', { Authorization: `Bearer ${token}x` }, 401, 'unauthorized'],
  ['a token of another scheme', { Authorization: `Basic ${token}` }, 401, 'unauthorized'],
  ['a rebinding Host', { Host: 'evil.example' }, 403, 'bad_host'],
  ['the right Host without the port', { Host: '127.0.0.1' }, 403, 'bad_host'],
  ['a foreign Origin', { Origin: 'https://evil.example' }, 403, 'bad_origin'],
  ['an opaque Origin', { Origin: 'null' }, 403, 'bad_origin'],
  ['a cross-site fetch', { 'Sec-Fetch-Site': 'cross-site' }, 403, 'bad_origin'],
])('%s is refused on every route', async (_, headers, status, code) => {
  const { ask, events } = await openTestServer();
  for (const [method, path] of [
    ['POST', '/event'],
    ['GET', '/events'],
    ['GET', '/sessions'],
    ['GET', '/metrics'],
    ['GET', '/nothing'],
  ] as const) {
    const answer = await ask(method, path, method === 'POST' ? body : undefined, headers);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
  }
  expect(events()).toEqual([]);
});

test('our own Origin is accepted, and localhost and [::1] are own Hosts', async () => {
  const { ask, port } = await openTestServer();
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(
      (
        await ask('GET', '/sessions', undefined, {
          Host: `${host}:${port}`,
          Origin: `http://${host}:${port}`,
        })
      ).status,
    ).toBe(200);
});

test('health needs no token, but a known Host', async () => {
  const { ask } = await openTestServer();
  expect(await ask('GET', '/healthz', undefined, { Authorization: '' })).toMatchObject({ status: 200 });
  expect((await ask('GET', '/healthz', undefined, { Authorization: '', Host: 'evil.example' })).status).toBe(
    403,
  );
});

test('no CORS header is ever sent, and a preflight is refused', async () => {
  const { ask } = await openTestServer();
  for (const [method, headers] of [
    ['GET', {}],
    ['OPTIONS', { Origin: 'https://evil.example' }],
    ['OPTIONS', {}],
  ] as const) {
    const answer = await ask(method, '/sessions', undefined, headers);
    expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
    if (method === 'OPTIONS') expect(answer.status).toBeGreaterThanOrEqual(400);
  }
});

test.each(['../../etc/passwd', '..%2f..%2fetc', '%2e%2e', 'a', 'x'.repeat(200), 'aaaaaa%00', "aaaaaa'--"])(
  'the id %j is no id',
  async id => {
    const { ask } = await openTestServer();
    const answer = await ask('GET', `/sessions/${id}`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.json()).toHaveProperty('error');
  },
);

test('an oversize body is refused before it is read, announced or not', async () => {
  const { ask, port } = await openTestServer();
  const answer = await ask('POST', '/event', undefined, {
    'Content-Length': String(limits.http.eventBytes + 1),
  }).catch(() => null);
  if (answer) expect(answer.status).toBe(413);
  const response = await new Promise<string>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /event HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = Buffer.alloc(1_000_000, 0x20);
      const pour = () => {
        if (socket.destroyed) return;
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        // After an error each write fails at once: writing on would block everything else.
        socket.write('\r\n', error => {
          if (!error) pour();
        });
      };
      pour();
    });
    let text = '';
    socket.on('data', data => {
      text += String(data);
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  expect(response).toContain('413');
});

test.each([
  ['DELETE', '/sessions', 405, 'method'],
  ['GET', '/nothing', 404, 'not_found'],
  ['POST', '/forget', 400, 'bad_request'],
  ['GET', '/sessions/abcdef12', 404, 'no_session'],
  ['GET', '/sessions/abcdef12/events', 404, 'no_session'],
  ['GET', '/sessions?state=asleep', 400, 'bad_request'],
  ['GET', '/events?after=x', 400, 'bad_cursor'],
  ['GET', '/events?after=-1', 400, 'bad_cursor'],
  ['GET', '/log?session=a/b', 400, 'bad_id'],
])('%s %s is %i %s', async (method, path, status, code) => {
  const { ask } = await openTestServer();
  const answer = await ask(method, path);
  expect(answer.status).toBe(status);
  expect(answer.json()).toMatchObject({ error: { code, hint: expect.any(String) as string } });
});

test('further Hosts are allowed by name, with the bound port or their own', () => {
  const gate = {
    tokenOf: () => ({ name: 'owner', rights: ['admin'] as const }),
    acceptPage: () => null,
    inside: { isAllowed: false, isAgentOf: () => false, isSame: () => false, hasStarted: () => false },
    port: () => 4000,
    allowHosts: ['host.docker.internal', '127.0.0.1:8080'],
  };
  const from = (host: string) => ({ headers: { host, authorization: `Bearer ${token}` } }) as IncomingMessage;
  for (const host of [
    'host.docker.internal',
    'Host.Docker.Internal:4000',
    '127.0.0.1:8080',
    '127.0.0.1:4000',
  ])
    expect(() => authenticate(from(host), 'read', gate)).not.toThrow();
  for (const host of ['host.docker.internal:4001', '127.0.0.1:8081', 'evil.example'])
    expect(() => authenticate(from(host), 'read', gate)).toThrow('is not allowed');
});
