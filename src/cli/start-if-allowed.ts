/** Starts the daemon before a command that needs it, unless it was stopped on purpose. */
import { existsSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';
import type { Call } from './verb.ts';

/** Starts the daemon if it does not answer and autostart is on, which it is from `setup` or `up` until `down`. */
export const startIfAllowed = async ({ paths, env, err }: Call): Promise<void> => {
  if (!existsSync(paths.autostart) || (await answers(paths))) return;
  err('Starting the daemon …');
  const { ensureDaemon } = await import('../client/start.ts');
  await ensureDaemon(paths, env);
};

/** Asks for an answer because a killed daemon still accepts connections for about 50 ms. */
const answers = async (paths: Paths): Promise<boolean> => {
  const { call } = await import('../client/call.ts');
  try {
    await call(paths, 'health');
    return true;
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down') return false;
    throw error;
  }
};
