/** Claude's folders as a command sees them: the one of the environment first, then those of the config. */
import { resolve } from 'node:path';
import { readConfig } from '../../daemon/config.ts';
import { claudeDir, type Env, type Paths } from '../../paths.ts';

export const claudeDirs = (env: Env, paths: Paths): string[] => [
  ...new Set([claudeDir(env), ...readConfig(paths.config).claudeDirs.map(dir => resolve(dir))]),
];
