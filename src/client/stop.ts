/** Stopping the daemon: a signal to the process that answers, then waiting until its lock is free. */
import { rmSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { processStart } from '../proc.ts';
import { runningDaemon } from './running.ts';

/** Stops the daemon and keeps hooks from starting it again; false when none was running. */
export const stopDaemon = async (paths: Paths, keepAutostart = false): Promise<boolean> => {
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  const status = await runningDaemon(paths);
  if (!status) return false;
  const start = processStart(status.pid);
  process.kill(status.pid, 'SIGTERM');
  const deadline = Date.now() + limits.stopWait;
  while (processStart(status.pid) === start && start !== null) {
    if (Date.now() > deadline)
      throw new DroverError('failed', `The daemon (pid ${status.pid}) does not stop.`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return true;
};
