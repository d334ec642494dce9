/** Where the daemon is: its socket when it can be used, else TCP with the token. */
import { existsSync, readFileSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';

export interface Where {
  socketPath?: string;
  hostname?: string;
  port?: string;
  headers: Record<string, string>;
}

/** The options that reach the daemon; throws `daemon_down` when nothing says where it is. */
export const findDaemon = (paths: Paths): Where => {
  if (existsSync(paths.socket)) return { socketPath: paths.socket, headers: { Host: 'localhost' } };
  try {
    const { url } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { url: string };
    const { hostname, port } = new URL(url);
    return {
      hostname,
      port,
      headers: {
        Host: `${hostname}:${port}`,
        Authorization: `Bearer ${readFileSync(paths.token, 'utf8').trim()}`,
      },
    };
  } catch {
    throw new DroverError('daemon_down');
  }
};
