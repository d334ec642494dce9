/** Collects Claude's folders: from the environment, from the config, and from events. */
import { resolve } from 'node:path';
import type { Config } from '../contract/config.ts';
import { limits } from '../limits.ts';
import type { View } from '../live/loop.ts';
import { claudeDir, type Env } from '../paths.ts';

export interface ClaudeDirs extends View {
  all: () => string[];
}

export const claudeDirs = (env: Env, config: Config): ClaudeDirs => {
  const dirs = new Set([claudeDir(env), ...config.claudeDirs.map(dir => resolve(dir))]);
  const onCommit: View['onCommit'] = ({ event }) => {
    const { configDir, host, posted } = event.context;
    if (configDir && !host && !posted && dirs.size < limits.watch.claudeDirs) dirs.add(resolve(configDir));
  };
  return { name: 'claude folders', all: () => [...dirs], onCommit };
};
