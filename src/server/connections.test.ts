/** What a caller without a token can cost: a few connections, for a moment, and a few bytes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../limits.ts';
import { openTestServer, token } from '../testing/server.ts';

/** A raw connection. */
const dial = async (
  port: number,
): Promise<{ socket: Socket; received: () => string; closed: Promise<void> }> => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', chunk => (text += String(chunk))).on('error', () => {});
  const closed = new Promise<void>(done => socket.once('close', () => done()));
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return { socket, received: () => text, closed };
};

const head = (port: number, line: string, ...headers: string[]): string =>
  [line, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');

const large = ['Content-Length: 12000000', 'Transfer-Encoding: chunked'];

test.each(large)('a body without a token is not waited for (%s)', async header => {
  const { port, events } = await openTestServer();
  const { socket, received, closed } = await dial(port);
  socket.write(head(port, 'POST /event HTTP/1.1', header));
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close/);
  expect(events()).toEqual([]);
});

test('a body that is announced is asked for only with a token', async () => {
  const { port } = await openTestServer();
  const expects = ['Content-Length: 2', 'Expect: 100-continue'];
  const stranger = await dial(port);
  stranger.socket.write(head(port, 'POST /event HTTP/1.1', ...expects));
  await stranger.closed;
  expect(stranger.received()).toMatch(/^HTTP\/1\.1 401 /);
  const known = await dial(port);
  known.socket.write(head(port, 'POST /event HTTP/1.1', `Authorization: Bearer ${token}`, ...expects));
  await expect.poll(known.received).toMatch(/^HTTP\/1\.1 100 /);
  known.socket.write('{}');
  await expect.poll(known.received).toMatch(/HTTP\/1\.1 (?:200|201|202|400) /);
});

test.each([`Content-Length: ${limits.http.anonymousBodyBytes + 1}`, 'Transfer-Encoding: chunked'])(
  'where no token is needed, a body has 16 KiB at most (%s)',
  async header => {
    const { port } = await openTestServer();
    const { socket, received, closed } = await dial(port);
    socket.write(head(port, 'POST /page/session HTTP/1.1', 'Sec-Fetch-Site: same-origin', header));
    const piece = 'x'.repeat(limits.http.anonymousBodyBytes + 1);
    socket.write(header.startsWith('T') ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  },
);

test('a body on a route that takes none is not read', async () => {
  const { port } = await openTestServer();
  const { socket, received, closed } = await dial(port);
  socket.write(head(port, 'GET /healthz HTTP/1.1', 'Transfer-Encoding: chunked'));
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/);
});

test('few anonymous connections are kept for long: the oldest are closed, authenticated ones stay, and a new request is served', async () => {
  const { port, ask } = await openTestServer();
  const known = await dial(port);
  const question = head(port, 'GET /sessions HTTP/1.1', `Authorization: Bearer ${token}`);
  known.socket.write(question);
  await expect.poll(known.received).toContain('200 OK');
  const idle = await Promise.all(
    Array.from({ length: limits.http.anonymousConnections + 50 }, () => dial(port)),
  );
  expect(idle.filter(({ socket }) => socket.closed)).toHaveLength(0);
  await new Promise(resolve => setTimeout(resolve, limits.http.anonymousGrace + 500));
  await dial(port);
  await expect.poll(() => idle.filter(({ socket }) => socket.closed).length).toBe(51);
  expect((await ask('GET', '/sessions')).status).toBe(200);
  known.socket.write(question);
  await expect.poll(() => known.received().split('200 OK').length).toBe(3);
});

test('a connection that sends no head is closed', { timeout: 15_000 }, async () => {
  const { port } = await openTestServer();
  const [silent, slow] = [await dial(port), await dial(port)];
  slow.socket.write('POST /event HTTP/1.1\r\nHo');
  await Promise.all([silent.closed, slow.closed]);
  expect([silent.socket.closed, slow.socket.closed]).toEqual([true, true]);
});
