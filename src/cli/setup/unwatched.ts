/** Sessions of the hub that may run though no daemon does, told without one. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claudeDir, type Env, type Paths, startScripts } from '../../paths.ts';

export const mayRunUnwatched = async ({ managed }: Paths, env: Env): Promise<boolean> => {
  const ids = existsSync(managed) ? readdirSync(managed) : [];
  // The script that starts a session goes with it, and its settings stay.
  const starts = ids.flatMap(id => Object.values(startScripts).map(name => join(managed, id, name)));
  if (starts.some(file => existsSync(file))) return true;
  if (ids.length === 0) return false;
  // One that a person took up again needed no script.
  const { liveSessions } = await import('../../claude/live-session.ts');
  return liveSessions([claudeDir(env)]).some(({ sessionId }) => ids.includes(sessionId));
};
