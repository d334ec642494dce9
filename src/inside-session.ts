/**
 * Find out whether this process runs inside a Claude Code session: as a descendant of one, or with its environment. Ancestors
 * are recognised by the session files of the configured Claude folders, with the same pid and start time.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configField } from './config/config-field.ts';
import { claudeDir, type Env, type Paths } from './paths.ts';
import { couldHaveWritten, lineage } from './platform/processes.ts';

/** The id to report for a session whose environment has no session id. */
export const unknownSessionName = 'unknown';

/** Return the session that this process runs in; null for none. After `/clear` only the ancestors have the new id. */
export const insideSession = (env: Env, paths: Paths, pids: number[] = lineage(process.pid)): string | null =>
  sessionOfAncestors(pids, foldersOf(env, paths)) ?? sessionOfEnvironment(env);

const sessionOfEnvironment = ({ CLAUDECODE, CLAUDE_CODE_SESSION_ID: id }: Env): string | null =>
  id || (CLAUDECODE ? unknownSessionName : null);

const sessionOfAncestors = (pids: number[], folders: string[]): string | null => {
  for (const pid of pids)
    for (const folder of folders) {
      const file = objectIn(join(folder, 'sessions', `${pid}.json`));
      if (file.pid !== pid || typeof file.sessionId !== 'string') continue;
      // A killed process leaves its file behind, and its pid may be reused.
      if (couldHaveWritten(pid, file)) return file.sessionId;
    }
  return null;
};

/** List Claude's folders without loading a schema library; errors in the config are reported elsewhere. */
const foldersOf = (env: Env, { config }: Paths): string[] => {
  const claudeDirs = configField(config, ['claudeDirs']);
  const more = Array.isArray(claudeDirs) ? claudeDirs.filter(dir => typeof dir === 'string') : [];
  return [claudeDir(env), ...more.map(dir => resolve(dir))];
};

/** Check whether the config allows every command inside a session. */
export const isAllowedInside = ({ config }: Paths): boolean =>
  configField(config, ['insideSessions']) === 'allow';

const objectIn = (file: string): Record<string, unknown> => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
};
