/** Stops the daemon and waits until it has exited. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Status } from '../contract/api.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { processStart } from '../platform/processes.ts';
import { pollUntil } from '../poll-until.ts';
import { call } from './call.ts';
import { runningDaemon } from './running.ts';

/** Stops the daemon and keeps hooks from starting it again; false if none was running. */
export const stopDaemon = async (paths: Paths, keepAutostart = false): Promise<boolean> => {
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  const status = await awaitStarting(paths);
  if (!status) return false;
  await call(paths, 'stop');
  // No signal: its pid may belong to another pid namespace. It stops listening while requests finish, and removes
  // daemon.json last; before that no other daemon can start.
  const isThere = async () =>
    processStart(status.pid) !== null || (await runningDaemon(paths).catch(() => status))?.pid === status.pid;
  const isGone = async () => registeredPid(paths) !== status.pid || !(await isThere());
  if (!(await pollUntil(isGone, limits.daemon.stopTimeout, 20)))
    throw new DroverError('failed', `The daemon (pid ${status.pid}) did not stop.`);
  // A daemon that has started since then has turned autostart on again.
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

/** The running daemon; waits while a hook is starting one. */
const awaitStarting = async (paths: Paths): Promise<Status | null> => {
  for (;;) {
    // In this order: it removes the mark when it is up, so without the mark the status is final.
    const begun = statSync(paths.starting, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const status = await runningDaemon(paths);
    if (status || Date.now() - begun > limits.daemon.startTimeout) return status;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
};
