/** Finds the daemon: by its socket, else by TCP with the token. */
import { existsSync, readFileSync } from 'node:fs';
import { clientHeader } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { sessionHeader } from '../contract/inside.ts';
import { insideSession } from '../inside-session.ts';
import type { Paths } from '../paths.ts';
import { surface } from './surface.ts';

export interface Where {
  socketPath?: string;
  hostname?: string;
  port?: string;
  /** Use TLS. */
  secure?: boolean;
  headers: Record<string, string>;
}

/** The connection options of the daemon; throws `daemon_down` if none is registered. */
export const findDaemon = (paths: Paths): Where => {
  const found = registered(paths);
  if (found.socket !== null) return bySocket(found.socket, paths);
  const where = whereOf(found.url, ownToken(paths));
  return { ...where, headers: { ...where.headers, ...insideHeader(paths) } };
};

/** The same for a program that calls with a token of its own, and so with its rights only. */
export const findWithToken = (paths: Paths, token: string): Where => {
  const found = registered(paths);
  if (found.socket === null) return whereOf(found.url, token);
  const headers = { Host: 'localhost', Authorization: `Bearer ${token}` };
  return { socketPath: found.socket, headers };
};

/**
 * The socket of the daemon, or its address if it has none. A daemon with a socket is never called by TCP: while it is down, its port
 * may belong to somebody else, who would be sent the token.
 */
const registered = (paths: Paths): { socket: string } | { socket: null; url: string } => {
  if (existsSync(paths.socket)) return { socket: paths.socket };
  try {
    const { url, socket } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as Registered;
    // If DROVER_HOME is too long a path for a socket, the socket is elsewhere.
    return socket ? { socket } : { socket: null, url };
  } catch {
    throw new DroverError('daemon_down');
  }
};

const ownToken = (paths: Paths): string => {
  try {
    return readFileSync(paths.token, 'utf8').trim();
  } catch {
    throw new DroverError('daemon_down');
  }
};

/** Names the Claude Code session that this process runs in. Hooks always run in one, so they send no name. */
const insideHeader = (paths: Paths): Record<string, string> => {
  if (surface.name === 'hook') return {};
  const inside = (known ??= { session: insideSession(process.env, paths) });
  return inside.session === null ? {} : { [sessionHeader]: inside.session };
};

let known: { session: string | null } | undefined;

/** The content of daemon.json; older daemons name no socket. */
interface Registered {
  url: string;
  socket?: string | null;
}

const bySocket = (socketPath: string, paths: Paths): Where => ({
  socketPath,
  headers: { Host: 'localhost', [clientHeader]: surface.name, ...insideHeader(paths) },
});

/** The connection options of an address; throws `usage` if it is not the address of a daemon. */
export const whereOf = (address: string, token: string): Where => {
  const url = urlOf(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new DroverError(
      'usage',
      `${JSON.stringify(address)} is not the address of a daemon.`,
      'Give an address such as http://127.0.0.1:4000 or https://drover.example, without path or user.',
    );
  return {
    // An IPv6 address has brackets in a URL, but not as a host name.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    secure: url.protocol === 'https:',
    headers: { Host: url.host, Authorization: `Bearer ${token}` },
  };
};

const urlOf = (address: string): URL | null => {
  try {
    return new URL(address);
  } catch {
    return null;
  }
};
