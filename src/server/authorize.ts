/** Decides what a caller may do. */
import { type Caller, mayUse } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { type Inside, insideError } from '../contract/inside.ts';
import type { Level } from '../contract/rights.ts';

/** What a request from inside a Claude Code session may do. */
export interface InsideRules {
  /** Whether the config lets sessions do everything. */
  isAllowed: boolean;
  /** Whether the registry names the first session as an agent of the second. */
  isAgentOf: (own: string, target: string) => boolean;
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
      'No token may do this: it takes a person.',
      'Run the command of the same name, or use the page.',
    );
  throw new DroverError(
    'forbidden',
    `The token ${caller.name} lacks the right \`${level}\`.`,
    `It has: ${caller.rights.join(', ')}.`,
  );
};

/** Throws when a request from inside a Claude Code session uses a route that is reserved for people. */
export const refuseInside = (
  { session }: Caller,
  inside: Inside,
  target: string,
  rules: InsideRules,
): void => {
  if (session === null || rules.isAllowed) return;
  if (inside === 'agents' && rules.isAgentOf(session, target)) return;
  throw insideError(session, inside === 'agents');
};
