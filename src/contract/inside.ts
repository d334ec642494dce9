/** Requests that come from inside a Claude Code session. */
import type { Caller } from './caller.ts';
import { DroverError } from './error.ts';
import { shortId } from './short-id.ts';

/** The header that names the session. It only removes rights, so it is accepted on TCP too. */
export const sessionHeader = 'X-Drover-Session';

/**
 * Whether sessions may use a route. `never`: none may. `agents`: only for a session that the wake registry names as
 * an agent of the session that it acts on, or with a named token on a session that it did not start. `others`: only on another
 * session.
 */
export type Inside = 'never' | 'agents' | 'others';

/** The error for a route that is reserved for people. */
export const insideError = (session: string, isForAgents: boolean): DroverError =>
  new DroverError(
    'nested',
    `This command came from inside the Claude Code session ${shortId(session)}. Only people may run it.`,
    isForAgents
      ? 'Use a terminal outside of it. Agents of the wake registry may do this to the sessions they watch.'
      : 'Use a terminal outside of it, or set `insideSessions` to "allow" in config.json.',
  );

/** The error for a program that acts on the session that it runs in. */
export const ownSessionError = (session: string): DroverError =>
  new DroverError(
    'nested',
    `${shortId(session)} is the session that you run in. You cannot act on it through Drover.`,
    'Do the work yourself, or ask the user.',
  );

/** The error for a program that answers a session which its own session has started. */
export const startedSessionError = (session: string): DroverError =>
  new DroverError(
    'nested',
    `The session that you run in has started ${shortId(session)}, so you cannot answer its requests.`,
    'Ask the user to answer.',
  );

/** Returns the session that the header names; null when there is none. */
export const insideOf = (header: string | string[] | undefined): Caller['session'] => {
  if (typeof header !== 'string' || header === '') return null;
  return /^[A-Za-z0-9_-]{6,128}$/.test(header) ? header : 'unknown';
};
