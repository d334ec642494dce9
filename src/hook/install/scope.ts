/** Which settings file a scope means. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { claudeDir, type Env } from '../../paths.ts';

export const scopes = ['user', 'project', 'local'] as const;
export type Scope = (typeof scopes)[number];

/** The settings file of a scope, as Claude would open it from `cwd`. */
export const settingsFile = (scope: Scope, env: Env, cwd: string): string => {
  if (scope === 'user') return join(claudeDir(env), 'settings.json');
  return join(projectRoot(cwd), '.claude', scope === 'project' ? 'settings.json' : 'settings.local.json');
};

/** The nearest folder upwards that holds `.git`, else the folder itself. */
export const projectRoot = (cwd: string): string => {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return resolve(cwd);
  }
};
