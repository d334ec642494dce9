/** Decides what a caller may do. */
import { type Caller, mayUse, ownerName } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { type Inside, insideError, ownSessionError, startedSessionError } from '../contract/inside.ts';
import type { Level } from '../contract/rights.ts';

/** What a request from inside a Claude Code session may do. */
export interface InsideRules {
  /** Whether the config lets sessions do everything. */
  isAllowed: boolean;
  /** Whether the registry names the first session as an agent of the second. */
  isAgentOf: (own: string, target: string) => boolean;
  /** Whether both are one session, also before and after a `/clear`. */
  isSame: (own: string, target: string) => boolean;
  /** Whether the first session has started or resumed the second. */
  hasStarted: (own: string, target: string) => boolean;
}

/** Throws unless the caller may use a route of this level. */
export const authorize = (caller: Caller, level: Level): void => {
  if (mayUse(caller, level)) return;
  if (level === 'local')
    throw new DroverError(
      'forbidden',
      'This works over the Unix socket only: neither a token nor the page may do it.',
      'Run the `drover` command on the machine of the daemon.',
    );
  if (level === 'person')
    throw new DroverError(
      'forbidden',
      'No token may do this: it needs a person.',
      'Run the command of the same name, or use the page.',
    );
  if (caller.kind === 'host')
    throw new DroverError(
      'forbidden',
      `${caller.name} may not do this here: it lacks the right \`${level}\`.`,
      `It has: ${caller.rights.join(', ') || 'none'}. \`drover fleet accept\` on that host gives it more.`,
    );
  throw new DroverError(
    'forbidden',
    `The token ${caller.name} lacks the right \`${level}\`.`,
    `It has: ${caller.rights.join(', ')}.`,
  );
};

/**
 * Throws when a request from inside a Claude Code session uses a route that is reserved for people, or acts with a token on
 * that very session: it would answer or prompt itself. Nor does a token answer a session that the caller's session started: that
 * would approve its own work through another.
 */
export const refuseInside = (caller: Caller, inside: Inside, target: string, rules: InsideRules): void => {
  const { session, kind } = caller;
  if (session === null) return;
  const isOwn = rules.isSame(session, target);
  if (kind === 'token' && isOwn) throw ownSessionError(session);
  if (rules.isAllowed) return;
  // A message to its own session would wait for the end of the turn that sends it.
  if (inside === 'others' && isOwn) throw ownSessionError(session);
  if (inside === 'others') return;
  if (inside === 'agents' && rules.isAgentOf(session, target)) return;
  if (inside === 'agents' && isGrant(caller)) {
    if (rules.hasStarted(session, target)) throw startedSessionError(target);
    return;
  }
  throw insideError(session, inside === 'agents');
};

/** Whether the caller has a named token. A person gave it its rights, so they also apply inside a session. */
const isGrant = ({ kind, name }: Caller): boolean => kind === 'token' && name !== ownerName;
