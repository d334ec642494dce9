/** Builds the registered hook command and recognises it later. */
import { join } from 'node:path';
import { limits } from '../../limits.ts';
import { droverHome, type Env, userHome } from '../../paths.ts';
import { quote } from '../../quote.ts';
import { hookTimeout } from './hook-timeout.ts';

export interface Handler {
  type: 'command';
  command: string;
  timeout: number;
}

/**
 * Builds one handler, equal in every scope because Claude runs equal strings once. Does nothing without the emitter. The
 * form for a custom home is tagged, because a shared file may also contain the portable one.
 */
export const handlerFor = (event: string, env: Env): Handler =>
  isPortable(env)
    ? handler(portable, event, '', env)
    : handler(quote(join(droverHome(env), 'emit.sh')), event, 'home', env);

/** Builds the plugin's handler. It tags its event, because Claude also runs the one from the settings. */
export const pluginHandlerFor = (event: string): Handler => handler(portable, event, 'plugin');

/** Returns whether a command is ours, of any version and for any DROVER_HOME. */
export const isOwnCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.includes('/emit.sh') && ownForm.test(command);

/** Returns whether the command works for others who share the file. */
export const isPortable = (env: Env): boolean => droverHome(env) === join(userHome(env), '.drover');

const portable = '"${DROVER_HOME:-$HOME/.drover}/emit.sh"';

/** Common part of all forms. */
const ownForm = /test -[rx] "\$(?:f|DROVER_EMIT)" && /;

/** Hooks that may wait for an answer. */
const waiting = new Set(['PermissionRequest', 'Stop', 'PreCompact']);

/** The timeout of a hook, in seconds. A permission hook waits beside its dialog; a Stop or PreCompact hook holds up its session. */
export const timeoutOf = (event: string, env?: Env): number => {
  const { requestTimeout, hookTimeout: shortest } = limits.approvals;
  if (event === 'PermissionRequest') return requestTimeout / 1_000;
  if (!waiting.has(event)) return 10;
  return env ? hookTimeout(env) : shortest / 1_000;
};

/** Returns whether a handler's timeout is shorter than its hook may wait. */
export const isTimeoutTooShort = (event: string, timeout: unknown, env: Env): boolean =>
  waiting.has(event) && typeof timeout === 'number' && timeout < timeoutOf(event, env);

// Sourced, to save a second sh. `.` takes no arguments in dash, so they are set before.
const handler = (path: string, event: string, form: string, env?: Env): Handler => ({
  type: 'command',
  command: `DROVER_EMIT=${path}; test -r "$DROVER_EMIT" && set -- ${`${event} ${form}`.trim()} && . "$DROVER_EMIT"; exit 0`,
  timeout: timeoutOf(event, env),
});
