import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './broker/certificate.ts';
import { pinnedTo } from './pinned-certificate.ts';

const listening = async (names: [string, ...string[]]) => {
  const made = selfSigned(names, 1);
  const server = createServer(made).listen(0, '127.0.0.1');
  // A client that refuses the certificate resets the connection.
  server.on('tlsClientError', () => {});
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { certificate: made.cert, port: (server.address() as AddressInfo).port };
};

const connected = async (port: number, certificate: string): Promise<boolean> => {
  const socket = connect({ host: '127.0.0.1', port, ...pinnedTo(certificate) });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket.authorized;
};

test('only the pinned certificate is accepted, not one with the same names', async () => {
  const broker = await listening(['drover']);
  expect(await connected(broker.port, broker.certificate)).toBe(true);
  const other = await listening(['drover']);
  await expect(connected(other.port, broker.certificate)).rejects.toThrow(
    /self-signed|self signed|not the one/,
  );
});

test('the names in the pinned certificate do not matter', async () => {
  const broker = await listening(['elsewhere']);
  expect(await connected(broker.port, broker.certificate)).toBe(true);
});
