/** A daemon that should be up is brought back before a command asks it: a reboot or a crash took it, nobody took it down. */
import { existsSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';
import type { Call } from './verb.ts';

/** Starts the daemon when nobody answers and a hook may start it too: from `setup` or `up` until `down`. */
export const revive = async ({ paths, env, err }: Call): Promise<void> => {
  if (!existsSync(paths.autostart) || (await answers(paths))) return;
  err('starting the daemon …');
  const { ensureDaemon } = await import('../client/start.ts');
  await ensureDaemon(paths, env);
};

/** A connection alone tells nothing: one that was killed takes connections for some 50 ms more. */
const answers = async (paths: Paths): Promise<boolean> => {
  const { call } = await import('../client/call.ts');
  try {
    await call(paths, 'GET', '/healthz');
    return true;
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down') return false;
    throw error;
  }
};
