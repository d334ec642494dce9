/** The command that is registered for a hook event, and how Drover knows its own again. */
import { join } from 'node:path';
import { limits } from '../../limits.ts';
import { droverHome, type Env, userHome } from '../../paths.ts';
import { quote } from '../../quote.ts';

export interface Handler {
  type: 'command';
  command: string;
  timeout: number;
}

/**
 * One handler, the same in every scope: Claude runs equal strings once. It is silent when the emitter is gone. The form
 * for a home of its own is tagged, because a file that others share may hold the portable one beside it.
 */
export const handlerFor = (event: string, env: Env): Handler =>
  isPortable(env)
    ? handler(portable, event)
    : handler(quote(join(droverHome(env), 'emit.sh')), event, 'home');

/** The plugin's handler: it works on any machine and tags its event, because Claude runs it beside the settings' own. */
export const pluginHandlerFor = (event: string): Handler => handler(portable, event, 'plugin');

/** Whether a command is a form of ours, of any version and for any DROVER_HOME. */
export const isOwnCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.includes('/emit.sh') && ownForm.test(command);

/** Whether the command names this machine's own path, and so is of no use to others who share the file. */
export const isPortable = (env: Env): boolean => droverHome(env) === join(userHome(env), '.drover');

const portable = '"${DROVER_HOME:-$HOME/.drover}/emit.sh"';

/** What every form has in common, whether it runs the emitter or reads it into its own shell. */
const ownForm = /test -[rx] "\$(?:f|DROVER_EMIT)" && /;

/** Hooks that may wait for an answer. */
const waiting = new Set(['PermissionRequest', 'Stop', 'PreCompact']);

/** Whether a handler gives its hook less time than it may wait. */
export const isHurried = (event: string, timeout: unknown): boolean =>
  waiting.has(event) && typeof timeout === 'number' && timeout < limits.approvals.hookTimeout / 1000;

// Sourced, not run: that spares a second sh. `.` takes no arguments in dash, so they are set before it.
const handler = (path: string, event: string, form = ''): Handler => ({
  type: 'command',
  command: `DROVER_EMIT=${path}; test -r "$DROVER_EMIT" && set -- ${`${event} ${form}`.trim()} && . "$DROVER_EMIT"; exit 0`,
  timeout: waiting.has(event) ? limits.approvals.hookTimeout / 1000 : 10,
});
