/** The ways in: opened, named and closed. */
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '../limits.ts';
import type { DaemonLog } from './log.ts';

/** The address that programs on this machine use. A server on all addresses answers on loopback too. */
export const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`;
};

/** Listens on the wanted port, or on a free one when a stranger has it; true when it had to move. */
export const listen = async (server: Server, port: number, host: string): Promise<boolean> => {
  const attempt = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: at, host, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  try {
    await attempt(port);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    await attempt(0);
    return true;
  }
};

/** The CLI's own way in. Where the path is too long for a socket, the CLI falls back to TCP and the token. */
export const listenLocal = async (server: Server, socket: string, log: DaemonLog): Promise<void> => {
  rmSync(socket, { force: true });
  if (Buffer.byteLength(socket) > limits.socketPath) {
    log.info('the path of DROVER_HOME is too long for a socket; the CLI uses TCP', { socket });
    return;
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
};

export const closeServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    if (!server.listening) {
      resolve();
      return;
    }
    const force = setTimeout(() => server.closeAllConnections(), limits.drain);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
