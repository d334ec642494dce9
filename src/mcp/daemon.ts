/**
 * The daemon, reached with the token that `drover setup --mcp` made. Each call names the session that this server runs in at
 * that moment, so that the daemon can refuse what a session may not do, and the audit names it.
 */
import { readFileSync } from 'node:fs';
import { call, type CallOptions } from '../client/call.ts';
import { findWithToken, type Where } from '../client/find.ts';
import type { AnswerOf, CallArguments } from '../client/route-call.ts';
import { DroverError } from '../contract/error.ts';
import { sessionHeader } from '../contract/inside.ts';
import type { Right } from '../contract/rights.ts';
import type { RouteId } from '../contract/routes.ts';
import type { Paths } from '../paths.ts';
import type { Own } from './own-session.ts';

/** The content of mcp.json: the token of the server and what it may do. */
export interface McpGrant {
  /** The name of the token. */
  name: string;
  token: string;
  rights: Right[];
  /** The CLAUDE_CONFIG_DIR of each registration, so that removal finds them; an empty text is the default. */
  configDirs?: string[];
}

/** Reads mcp.json; null when `drover setup --mcp` was not run. */
export const readGrant = (paths: Paths): McpGrant | null => {
  try {
    const grant = JSON.parse(readFileSync(paths.mcp, 'utf8')) as McpGrant;
    return grant.name && grant.token && Array.isArray(grant.rights) ? grant : null;
  } catch {
    return null;
  }
};

export interface Daemon {
  /** The address with its headers, for streams: read for each connection. */
  where: () => Where;
  call: <Id extends RouteId>(route: Id, ...input: CallArguments<Id, CallOptions>) => Promise<AnswerOf<Id>>;
}

export const openDaemon = (paths: Paths, own: () => Own | null): Daemon => {
  const where = (): Where => {
    const grant = readGrant(paths);
    if (!grant)
      throw new DroverError(
        'unauthorized',
        'This MCP server has no token yet.',
        'Ask the user to run `drover setup --mcp` in a terminal of their own.',
      );
    const to = findWithToken(paths, grant.token);
    const session = own();
    return { ...to, headers: { ...to.headers, ...(session && { [sessionHeader]: session.id }) } };
  };
  return { where, call: (route, ...input) => call(where(), route, ...input) };
};
