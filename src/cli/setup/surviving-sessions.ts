/** Detects managed sessions that may have survived their daemon. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claudeDir, type Env, type Paths, startScripts } from '../../paths.ts';

export const mayHaveSurvivors = async ({ managed }: Paths, env: Env): Promise<boolean> => {
  const ids = existsSync(managed) ? readdirSync(managed) : [];
  // The start script is deleted with its session; the settings stay.
  const starts = ids.flatMap(id => Object.values(startScripts).map(name => join(managed, id, name)));
  if (starts.some(file => existsSync(file))) return true;
  if (ids.length === 0) return false;
  // A session that a person resumed has no script.
  const { liveSessions } = await import('../../claude/live-session.ts');
  return liveSessions([claudeDir(env)]).some(({ sessionId }) => ids.includes(sessionId));
};
