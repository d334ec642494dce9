/**
 * Whether this process runs inside a Claude Code session: as a descendant of one, or with its environment. Only sessions of
 * the configured Claude folders count as ancestors, each by its session file with the same pid and start.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { claudeDir, type Env, type Paths } from './paths.ts';
import { lineage, processStart } from './proc.ts';

/** For a session that its environment gives away without naming it. */
export const unknownSessionName = 'unknown';

/** The session that this process runs inside of; null for none. After `/clear` the ancestors know the new id, the environment the old one. */
export const insideSession = (env: Env, paths: Paths, pids: number[] = lineage(process.pid)): string | null =>
  sessionOfAncestors(pids, foldersOf(env, paths)) ?? sessionOfEnvironment(env);

const sessionOfEnvironment = ({ CLAUDECODE, CLAUDE_CODE_SESSION_ID: id }: Env): string | null =>
  id || (CLAUDECODE ? unknownSessionName : null);

const sessionOfAncestors = (pids: number[], folders: string[]): string | null => {
  for (const pid of pids)
    for (const folder of folders) {
      const { sessionId, procStart, pid: own } = objectIn(join(folder, 'sessions', `${pid}.json`));
      if (own !== pid || typeof sessionId !== 'string') continue;
      // A file of a process that is gone stays behind, and its pid may be another's by now.
      const start = processStart(pid);
      if (procStart === undefined || procStart === start || procStart === Number(start)) return sessionId;
    }
  return null;
};

/** Claude's folders, without loading a schema library: whatever is wrong in the config is reported elsewhere. */
const foldersOf = (env: Env, { config }: Paths): string[] => {
  const { claudeDirs } = objectIn(config);
  const more = Array.isArray(claudeDirs) ? claudeDirs.filter(dir => typeof dir === 'string') : [];
  return [claudeDir(env), ...more.map(dir => resolve(dir))];
};

/** Whether the config lets sessions use every command. */
export const isAllowedInside = ({ config }: Paths): boolean => objectIn(config).insideSessions === 'allow';

const objectIn = (file: string): Record<string, unknown> => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
};
