/** Detects other hooks that may answer permission requests at once. */
import { join } from 'node:path';
import { claudeDir, type Env } from '../../paths.ts';
import { isOwnCommand } from './command.ts';
import { scopes, settingsFile } from './scope.ts';
import { readFields } from './disabled-hooks.ts';

const deciding = ['PermissionRequest', 'Elicitation'];

/** Returns whether another hook may answer a request. */
export const hasApprovers = (env: Env, cwd: string): boolean => hasOthers(env, cwd, deciding);

/** Returns whether settings or an installed plugin register another hook for one of these events. */
export const hasOthers = (env: Env, cwd: string, events: string[]): boolean =>
  [...scopes.map(scope => settingsFile(scope, env, cwd)), ...pluginFiles(env)].some(file => {
    const { hooks } = readFields(file);
    return events.some(event => list(Object(hooks)[event]).some(isAnothers));
  });

/** Includes disabled plugins: a false positive only delays the state, a miss shows a wrong one. */
const pluginFiles = (env: Env): string[] =>
  Object.values(Object(readFields(join(claudeDir(env), 'plugins', 'installed_plugins.json')).plugins))
    .flat()
    .map(install => Object(install).installPath as unknown)
    .filter(path => typeof path === 'string')
    .map(path => join(path, 'hooks', 'hooks.json'));

const isAnothers = (group: unknown): boolean =>
  list(Object(group).hooks).some(handler => !isOwnCommand(Object(handler).command));

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
