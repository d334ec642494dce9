/** Makes the daemon ready before a command that needs it, unless it was stopped on purpose. */
import { existsSync } from 'node:fs';
import { build } from '../version.ts';
import type { Call } from './verb.ts';

type Starting = Pick<Call, 'paths' | 'env' | 'err'>;

/**
 * Starts the daemon if it does not answer and autostart is on, which it is from `setup` or `up` until `down`. A daemon of an older
 * build is replaced.
 */
export const startIfAllowed = async (call: Call): Promise<void> => {
  const { runningBuild } = await import('../client/running.ts');
  const running = await runningBuild(call.paths);
  return running === null ? start(call) : replaceIfOlder(call, running);
};

/** Replaces the running daemon if it is of an older build. If that is not possible the command goes on with it. */
export const replaceIfOlder = async (call: Starting, running: string | null): Promise<void> => {
  if (running === null || running === build) return;
  const { paths, env, err } = call;
  const [{ readyDaemon }, { replaceOlder }] = [
    await import('../client/running.ts'),
    await import('../client/start.ts'),
  ];
  try {
    // Checked first, as `drover restart` does: an invalid config must not stop the running daemon.
    (await import('../daemon/config.ts')).readConfig(paths.config);
    // Asked again: another command may be replacing it, and all facts must be those of one daemon.
    const before = await readyDaemon(paths);
    if (!before) return await start(call);
    const status = await replaceOlder(paths, env, before);
    if (status) err(`Replaced the daemon, which was version ${before.version}, by this one, ${build}.`);
  } catch (error) {
    err(`The daemon is version ${running}, this command is ${build}: ${(error as Error).message}`);
  }
};

const start = async ({ paths, env, err }: Starting): Promise<void> => {
  if (!existsSync(paths.autostart)) return;
  err('Starting the daemon …');
  const { ensureDaemon } = await import('../client/start.ts');
  await ensureDaemon(paths, env);
};
