/** Makes the daemon ready before a command that needs it, unless it was stopped on purpose. */
import { existsSync, readFileSync } from 'node:fs';
import type { Paths } from '../paths.ts';
import { build } from '../version.ts';
import type { Call } from './verb.ts';

/**
 * Starts the daemon if it does not answer and autostart is on, which it is from `setup` or `up` until `down`. A daemon of an older
 * build is replaced.
 */
export const startIfAllowed = async (call: Call): Promise<void> => {
  const { paths, env, err } = call;
  const { runningBuild } = await import('../client/running.ts');
  const running = await runningBuild(paths);
  if (running !== null) return replaceIfOlder(call, running);
  if (!existsSync(paths.autostart)) return;
  err('Starting the daemon …');
  const { ensureDaemon } = await import('../client/start.ts');
  await ensureDaemon(paths, env);
};

/** Replaces the running daemon if it is of an older build. If that is not possible the command goes on with it. */
export const replaceIfOlder = async (
  { paths, env, err }: Pick<Call, 'paths' | 'env' | 'err'>,
  running: string | null,
): Promise<void> => {
  if (running === null || running === build) return;
  const [{ replaceOlder }, registered] = [await import('../client/start.ts'), registration(paths)];
  if (registered === null) return;
  try {
    // Checked first, as `drover restart` does: an invalid config must not stop the running daemon.
    (await import('../daemon/config.ts')).readConfig(paths.config);
    const status = await replaceOlder(paths, env, { ...registered, version: running });
    if (status) err(`Replaced the daemon, which was version ${running}, by this one, ${build}.`);
  } catch (error) {
    err(`The daemon is version ${running}, this command is ${build}: ${(error as Error).message}`);
  }
};

const registration = (paths: Paths): { pid: number; url: string; startedAt: number } | null => {
  try {
    return JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number; url: string; startedAt: number };
  } catch {
    return null;
  }
};
