/** Whether others decide too: a hook of the user's own may give a permission in the moment in which it is asked. */
import type { Env } from '../../paths.ts';
import { isOwnCommand } from './command.ts';
import { scopes, settingsFile } from './scope.ts';
import { readFields } from './switched-off.ts';

const deciding = ['PermissionRequest', 'Elicitation'];

/** True when a settings file seen from `cwd` registers somebody else's hook for what a session asks. */
export const hasApprovers = (env: Env, cwd: string): boolean =>
  scopes.some(scope => {
    const { hooks } = readFields(settingsFile(scope, env, cwd));
    return deciding.some(event => list(Object(hooks)[event]).some(isAnothers));
  });

const isAnothers = (group: unknown): boolean =>
  list(Object(group).hooks).some(handler => !isOwnCommand(Object(handler).command));

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
