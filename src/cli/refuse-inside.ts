/** Rejects a command that only people may run when it comes from inside a Claude Code session. */
import { insideError } from '../contract/inside.ts';
import { insideSession, isAllowedInside } from '../inside-session.ts';
import type { Call } from './verb.ts';

export const refuseInside = ({ env, paths }: Pick<Call, 'env' | 'paths'>): void => {
  const session = insideSession(env, paths);
  if (session !== null && !isAllowedInside(paths)) throw insideError(session, false);
};
