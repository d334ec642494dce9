import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { linuxNetwork, listenersIn } from '../platform/linux/network.ts';
import { listen } from './listeners.ts';

const opened = async (port = 0, isOwn?: () => boolean | null) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const moved = await listen(server, port, '127.0.0.1', isOwn);
  return { moved, port: (server.address() as AddressInfo).port };
};

test('a port that another program of the user has is left to it; that of another user is refused', async () => {
  const first = await opened();
  expect(first.moved).toBe(false);
  for (const isOwn of [() => true, () => null]) {
    const second = await opened(first.port, isOwn);
    expect([second.moved, second.port === first.port]).toEqual([true, false]);
  }
  await expect(opened(first.port, () => false)).rejects.toThrow(
    `Port ${first.port} is used by a program of another user.`,
  );
});

test.runIf(process.platform === 'linux')('the kernel names the user of a listener', async () => {
  const { port } = await opened();
  expect(linuxNetwork.isOwnListener(port)).toBe(true);
  expect(linuxNetwork.isOwnListener(1)).toBeNull();
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0FA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1 1
   1: 0100007F:0FA0 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 1 1`;
  expect([listenersIn(table, 4_000), listenersIn(table, 0xc001)]).toEqual([[1_001], []]);
});
