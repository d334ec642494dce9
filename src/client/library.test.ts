/** How a program reaches a daemon by its address, and that the token goes only to that daemon. */
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer, globalAgent } from 'node:https';
import { type AddressInfo, createServer as createPlain, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../fleet/broker/certificate.ts';
import { openTestServer, token } from '../testing/server.ts';
import { connect } from './library.ts';

const hasIpv6 = Object.values(networkInterfaces()).some(all => all?.some(({ address }) => address === '::1'));

const portOf = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, host, done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** A daemon behind TLS, as far as a client can tell. */
const behindTls = async (pair: { key: string; cert: string }) => {
  const asked: unknown[] = [];
  const answer: RequestListener = ({ url, headers: { authorization, host } }, response) => {
    asked.push({ url, authorization, host });
    if (!url?.endsWith('/events')) response.end(JSON.stringify({ sessions: [] }));
    else response.end('id: 4\nevent: end\ndata: {"reason":"other","next":null}\n\n');
  };
  const server = createServer(pair, answer);
  onTestFinished(() => server.closeAllConnections());
  return { asked, port: await portOf(server) };
};

const trust = (cert: string): void => {
  const { ca } = globalAgent.options;
  onTestFinished(() => void (globalAgent.options.ca = ca));
  globalAgent.options.ca = cert;
};

test('calls and streams to an https address use TLS', async () => {
  const pair = selfSigned(['localhost'], 1);
  const { asked, port } = await behindTls(pair);
  trust(pair.cert);
  const drover = connect({ url: `https://localhost:${port}`, token });
  expect(await drover.sessions()).toEqual([]);
  const frames = [];
  for await (const frame of drover.events({ session: 'abcdef' })) frames.push(frame);
  expect(frames).toEqual([{ event: 'end', seq: 4, reason: 'other', next: null }]);
  const known = { authorization: `Bearer ${token}`, host: `localhost:${port}` };
  expect(asked).toEqual([
    { url: '/sessions', ...known },
    { url: '/sessions/abcdef/events', ...known },
  ]);
});

test('a server without a trusted certificate does not get the token', async () => {
  const { asked, port } = await behindTls(selfSigned(['localhost'], 1));
  await expect(connect({ url: `https://localhost:${port}`, token }).sessions()).rejects.toThrow(
    'self-signed certificate',
  );
  expect(asked).toEqual([]);
});

test('nothing is sent to a server without TLS at an https address', async () => {
  const chunks: Buffer[] = [];
  const plain = createPlain(socket => {
    socket
      .on('error', () => {})
      .on('data', chunk => {
        chunks.push(chunk);
        socket.destroy();
      });
  });
  const port = await portOf(plain);
  await expect(connect({ url: `https://127.0.0.1:${port}`, token }).sessions()).rejects.toThrow(
    'The daemon is not running',
  );
  const received = Buffer.concat(chunks);
  // Only a TLS handshake.
  expect(received[0]).toBe(0x16);
  expect(received.includes(token)).toBe(false);
});

test('an http address reaches the daemon', async () => {
  const { port } = await openTestServer();
  expect(await connect({ url: `http://localhost:${port}/`, token }).sessions()).toEqual([]);
});

test.skipIf(!hasIpv6)('an IPv6 address is reached, with brackets in the Host header', async () => {
  const hosts: unknown[] = [];
  const server = createHttp((request, response) => {
    hosts.push(request.headers.host);
    response.end(JSON.stringify({ sessions: [] }));
  });
  const port = await portOf(server, '::1');
  expect(await connect({ url: `http://[::1]:${port}`, token }).sessions()).toEqual([]);
  expect(hosts).toEqual([`[::1]:${port}`]);
});

test.each([
  'ftp://127.0.0.1:4000',
  'http://127.0.0.1:4000/drover',
  'http://127.0.0.1:4000/?x=1',
  'http://me:secret@127.0.0.1:4000',
  '127.0.0.1:4000',
  '',
])('%j is not the address of a daemon', url => {
  const wrong = {
    code: 'usage',
    message: expect.stringContaining('is not the address of a daemon') as string,
  };
  expect(() => connect({ url, token })).toThrow(expect.objectContaining(wrong));
});
