/** Stops the daemon and waits until it has exited. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { processStart } from '../platform/processes.ts';
import { pollUntil } from '../poll-until.ts';
import { call } from './call.ts';
import { isStarting, runningDaemon } from './running.ts';
import { isDown } from './stream.ts';

/**
 * Stops the daemon and keeps hooks from starting it again; false if none was running. Stops only the daemon with `wanted` as pid if
 * that is given: another command may have replaced it meanwhile.
 */
export const stopDaemon = async (paths: Paths, keepAutostart = false, wanted?: number): Promise<boolean> => {
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  const pid = await awaitStarting(paths);
  if (pid === null || (wanted !== undefined && pid !== wanted)) return false;
  await call(paths, 'stop', { isAnyBuild: true }).catch((error: unknown) => {
    // Another command has just asked it to stop.
    if (!isDown(error)) throw error;
  });
  // No signal: its pid may belong to another pid namespace. It stops listening while requests finish, and removes
  // daemon.json last; before that no other daemon can start.
  const isThere = async () => processStart(pid) !== null || (await pidOf(paths).catch(() => pid)) === pid;
  const isGone = async () => registeredPid(paths) !== pid || !(await isThere());
  if (!(await pollUntil(isGone, limits.daemon.stopTimeout, 20)))
    throw new DroverError('failed', `The daemon (pid ${pid}) did not stop.`);
  // A daemon that has started since then has turned autostart on again.
  if (!keepAutostart) rmSync(paths.autostart, { force: true });
  return true;
};

/** The pid in daemon.json; null when no daemon is registered. */
export const registeredPid = (paths: Paths): number | null => {
  try {
    return (JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
};

/** The pid of the running daemon, also of one that reads its log. */
const pidOf = async (paths: Paths): Promise<number | null> => {
  try {
    return (await runningDaemon(paths, { isAnyBuild: true }))?.pid ?? null;
  } catch (error) {
    if (isStarting(error)) return registeredPid(paths);
    throw error;
  }
};

/** The same; waits while a hook is starting one. */
const awaitStarting = async (paths: Paths): Promise<number | null> => {
  for (;;) {
    // In this order: it removes the mark when it answers, so without the mark the answer is final.
    const begun = statSync(paths.starting, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const pid = await pidOf(paths);
    if (pid !== null || Date.now() - begun > limits.daemon.startTimeout) return pid;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
};
