/** Small things that would grow or go stale in months: looked at now and then. */
import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Aside } from '../hook/aside.ts';
import { makeReserve } from '../hook/disk-reserve.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';

/** Tidies DROVER_HOME; calls `leave` when it is no longer the home that this daemon locked. */
export const runMaintenance = (
  paths: Paths,
  aside: Aside,
  lockInode: number,
  leave: () => void,
  onError: (message: string, error: unknown) => void,
): void => {
  try {
    tidy(paths, aside, lockInode, leave);
  } catch (error) {
    onError('DROVER_HOME could not be tidied', error);
  }
};

const tidy = (paths: Paths, aside: Aside, lockInode: number, leave: () => void): void => {
  if (statSync(paths.lock, { throwIfNoEntry: false })?.ino !== lockInode) {
    leave();
    return;
  }
  makeReserve(paths);
  const emitLog = statSync(paths.emitLog, { throwIfNoEntry: false });
  if (emitLog && emitLog.size > limits.daemon.logBytes) renameSync(paths.emitLog, `${paths.emitLog}.1`);
  for (const file of outgoing(paths))
    if (
      Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) >
      limits.spool.outgoingAge
    )
      aside.move(file, 'its hook was ended while it was on its way to a hub elsewhere');
};

const outgoing = (paths: Paths): string[] => {
  try {
    return readdirSync(paths.outgoing).map(name => join(paths.outgoing, name));
  } catch {
    return [];
  }
};
