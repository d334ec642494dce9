/** Whether others decide too: a hook of the user's own may give a permission in the moment in which it is asked. */
import { join } from 'node:path';
import { claudeDir, type Env } from '../../paths.ts';
import { isOwnCommand } from './command.ts';
import { scopes, settingsFile } from './scope.ts';
import { readFields } from './switched-off.ts';

const deciding = ['PermissionRequest', 'Elicitation'];

/** Somebody else's hook may answer what a session asks. */
export const hasApprovers = (env: Env, cwd: string): boolean => hasOthers(env, cwd, deciding);

/** True when a settings file seen from `cwd`, or an installed plugin, registers somebody else's hook for one of these events. */
export const hasOthers = (env: Env, cwd: string, events: string[]): boolean =>
  [...scopes.map(scope => settingsFile(scope, env, cwd)), ...pluginFiles(env)].some(file => {
    const { hooks } = readFields(file);
    return events.some(event => list(Object(hooks)[event]).some(isAnothers));
  });

/** Of every installed plugin, switched on or not: one too many costs a moment, one too few shows what is not so. */
const pluginFiles = (env: Env): string[] =>
  Object.values(Object(readFields(join(claudeDir(env), 'plugins', 'installed_plugins.json')).plugins))
    .flat()
    .map(install => Object(install).installPath as unknown)
    .filter(path => typeof path === 'string')
    .map(path => join(path, 'hooks', 'hooks.json'));

const isAnothers = (group: unknown): boolean =>
  list(Object(group).hooks).some(handler => !isOwnCommand(Object(handler).command));

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
