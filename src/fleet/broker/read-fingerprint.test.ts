import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { freePort } from './broker-process.ts';
import { fingerprintOf, readFingerprint } from './read-fingerprint.ts';

const { key, cert } = selfSigned(['drover'], 1);

/** Speaks first, as nats-server does, and then TLS. */
const serving = async (greeting: string): Promise<number> => {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.write(greeting);
    if (greeting.startsWith('INFO'))
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

test('a broker shows its certificate', async () => {
  const port = await serving('INFO {"tls_required":true} \r\n');
  expect(await readFingerprint(port)).toBe(fingerprintOf(cert));
});

test('another program, and a port where nothing listens, show none', async () => {
  expect(await readFingerprint(await serving('SSH-2.0-x\r\n'))).toBeNull();
  expect(await readFingerprint(await freePort('127.0.0.1'))).toBeNull();
});
