/** Where the daemon is: its socket when it can be used, else TCP with the token. */
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
  /** By TLS. */
  secure?: boolean;
  headers: Record<string, string>;
}

/** The options that reach the daemon; throws `daemon_down` when nothing says where it is. */
export const findDaemon = (paths: Paths): Where => {
  if (existsSync(paths.socket)) return bySocket(paths.socket, paths);
  try {
    const { url, socket } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as Registered;
    // A DROVER_HOME that is too deep for a socket has it elsewhere.
    if (socket && existsSync(socket)) return bySocket(socket, paths);
    const where = whereOf(url, readFileSync(paths.token, 'utf8').trim());
    return { ...where, headers: { ...where.headers, ...insideHeader(paths) } };
  } catch {
    throw new DroverError('daemon_down');
  }
};

/** Names the Claude Code session that this process runs inside of. A hook always does, and nobody asks. */
const insideHeader = (paths: Paths): Record<string, string> => {
  if (surface.name === 'hook') return {};
  const inside = (known ??= { session: insideSession(process.env, paths) });
  return inside.session === null ? {} : { [sessionHeader]: inside.session };
};

let known: { session: string | null } | undefined;

/** What daemon.json says; an older daemon names no socket. */
interface Registered {
  url: string;
  socket?: string | null;
}

const bySocket = (socketPath: string, paths: Paths): Where => ({
  socketPath,
  headers: { Host: 'localhost', [clientHeader]: surface.name, ...insideHeader(paths) },
});

/** The options that reach the daemon of this address; throws `usage` for what is no address of one. */
export const whereOf = (address: string, token: string): Where => {
  const url = urlOf(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new DroverError(
      'usage',
      `${JSON.stringify(address)} is no address of a daemon.`,
      'An address such as http://127.0.0.1:4000 or https://drover.example, without a path or a user.',
    );
  return {
    // In a URL an IPv6 address has brackets, and a name to be looked up has none.
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
