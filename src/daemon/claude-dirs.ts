/** Collects Claude's folders: from the environment, from the config, and from events. */
import { resolve } from 'node:path';
import type { Config } from '../contract/config.ts';
import { distinctFolders } from '../files/folder.ts';
import { limits } from '../limits.ts';
import type { View } from '../live/loop.ts';
import { claudeDir, type Env } from '../paths.ts';

export interface ClaudeDirs extends View {
  all: () => string[];
}

/** `realPath` resolves a path; on macOS also its upper and lower case. */
export const claudeDirs = (
  env: Env,
  config: Pick<Config, 'claudeDirs'>,
  realPath?: (path: string) => string,
): ClaudeDirs => {
  let dirs = distinctFolders([claudeDir(env), ...config.claudeDirs.map(dir => resolve(dir))], realPath);
  /** Names that events gave, so that each is resolved once. */
  const named = new Set(dirs);
  const onCommit: View['onCommit'] = ({ event }) => {
    const { configDir, host, posted } = event.context;
    if (!configDir || host || posted || dirs.length >= limits.watch.claudeDirs) return;
    const dir = resolve(configDir);
    if (named.has(dir)) return;
    named.add(dir);
    dirs = distinctFolders([...dirs, dir], realPath);
  };
  return { name: 'claude folders', all: () => dirs, onCommit };
};
