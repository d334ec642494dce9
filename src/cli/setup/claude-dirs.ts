/** Lists Claude's folders: that of the environment, then those of the config. */
import { resolve } from 'node:path';
import { readConfig } from '../../daemon/config.ts';
import { distinctFolders } from '../../files/folder.ts';
import { claudeDir, type Env, type Paths } from '../../paths.ts';

export const claudeDirs = (env: Env, paths: Paths): string[] =>
  distinctFolders([claudeDir(env), ...readConfig(paths.config).claudeDirs.map(dir => resolve(dir))]);
