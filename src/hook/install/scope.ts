/** Finds the settings file of a scope. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { claudeDir, type Env } from '../../paths.ts';

export const scopes = ['user', 'project', 'local'] as const;
export type Scope = (typeof scopes)[number];

/** Returns the settings file that Claude uses for this scope in `cwd`. */
export const settingsFile = (scope: Scope, env: Env, cwd: string): string => {
  if (scope === 'user') return join(claudeDir(env), 'settings.json');
  return join(projectRoot(cwd), '.claude', scope === 'project' ? 'settings.json' : 'settings.local.json');
};

/** Returns the nearest parent with `.git`, or the folder itself. */
export const projectRoot = (cwd: string): string => {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return resolve(cwd);
  }
};
