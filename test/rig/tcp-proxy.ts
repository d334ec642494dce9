/** A TCP proxy that can go silent without closing its connections, as a lost network does. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Drops everything, and keeps the connections open. */
  freeze: () => void;
  /** Forwards data again. Connections from before are closed, as after a long silence. */
  thaw: () => void;
  close: () => Promise<void>;
}

export const proxyTo = async (target: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server: Server = createServer(client => {
    const other = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, other],
      [other, client],
    ] as const) {
      sockets.add(from);
      from.on('data', chunk => {
        if (!isFrozen) to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isFrozen) to.destroy();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
};
