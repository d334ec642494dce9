/** Stopping the daemon: it is asked to, then waited for. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Status } from '../contract/api.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { processStart } from '../proc.ts';
import { call } from './call.ts';
import { runningDaemon } from './running.ts';

/** Stops the daemon and keeps hooks from starting it again; false when none was running. */
export const stopDaemon = async (paths: Paths, keepAutostart = false): Promise<boolean> => {
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  const status = await comingDaemon(paths);
  if (!status) return false;
  await call(paths, 'stop');
  const deadline = Date.now() + limits.daemon.stopTimeout;
  // Asked, not signalled: its pid may be one of another pid namespace. It no longer listens while requests under way
  // finish, and takes daemon.json away as the last thing: before that no other daemon can start.
  const isThere = async () =>
    processStart(status.pid) !== null || (await runningDaemon(paths).catch(() => status))?.pid === status.pid;
  while (registeredPid(paths) === status.pid && (await isThere())) {
    if (Date.now() > deadline)
      throw new DroverError('failed', `The daemon (pid ${status.pid}) does not stop.`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  // It allows itself to be started again when it comes up, which may have been after the first line.
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  return true;
};

const registeredPid = (paths: Paths): number | null => {
  try {
    return (JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
};

/** The daemon, waited for while a hook is starting one. */
const comingDaemon = async (paths: Paths): Promise<Status | null> => {
  for (;;) {
    // In this order: it takes the mark away when it has come up, so without the mark the answer is the last word.
    const begun = statSync(paths.starting, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const status = await runningDaemon(paths);
    if (status || Date.now() - begun > limits.daemon.startTimeout) return status;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
};
