/** Opens and closes the TCP port and the Unix socket. */
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Env, Paths } from '../paths.ts';
import { platform } from '../platform/choose.ts';
import type { DaemonLog } from './log.ts';
import { shortSocket } from './short-socket.ts';

/** The address that programs on this machine use. A server on all addresses answers on loopback too. */
export const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`;
};

/**
 * Listens on the wanted port, or on a free one when another program of the user has it. Returns whether it moved. Throws when the
 * port belongs to another user: browsers and proxies would go on talking to that one.
 */
export const listen = async (
  server: Server,
  port: number,
  host: string,
  isOwn = platform.network.isOwnListener,
): Promise<boolean> => {
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
    if (code === 'EADDRINUSE' && isOwn(port) === false)
      throw new DroverError(
        'refused',
        `Port ${port} is used by a program of another user. Whoever opens http://127.0.0.1:${port} talks to that program, not to Drover.`,
        'Find it with `ss -ltnp` as root. To use another port: `drover config set port 4100`, then open the page anew.',
      );
    await attempt(0);
    return true;
  }
};

/** Opens the Unix socket for the user's commands, elsewhere when the path of DROVER_HOME is too long. Null: they use TCP and the token. */
export const listenLocal = async (
  server: Server,
  paths: Paths,
  env: Env,
  log: DaemonLog,
): Promise<string | null> => {
  const fits = Buffer.byteLength(paths.socket) <= limits.http.socketPath;
  const socket = fits ? paths.socket : shortSocket(paths.home, env);
  if (!fits)
    log.info('the path of DROVER_HOME is too long for a socket', {
      socket: socket ?? 'none: the CLI uses TCP',
    });
  if (socket === null) return null;
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  return socket;
};

export const closeServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    if (!server.listening) {
      resolve();
      return;
    }
    const force = setTimeout(() => server.closeAllConnections(), limits.http.drain);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
