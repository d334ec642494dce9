/** The lock of a home: one daemon serves it at a time. */
import { existsSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';
import { takeLock } from '../store/lock.ts';

/** How often the lock is tried. A killed daemon keeps it for a moment; one that is stopping has removed its registration. */
const attempts = { registered: 6, stopping: 40 };

/** Takes the lock of this home, and waits for a daemon that is stopping. */
export const lockHome = async (paths: Paths): Promise<{ release: () => void }> => {
  for (let tries = 0; ; tries++) {
    const lock = await takeLock(paths.lock);
    if (lock) return lock;
    if (tries > (existsSync(paths.daemon) ? attempts.registered : attempts.stopping)) {
      removeStarting(paths);
      throw new DroverError(
        'already_running',
        `Another daemon already serves ${paths.home}${holder(paths)}.`,
      );
    }
    await new Promise(done => setTimeout(done, 50));
  }
};

/** Checks whether no daemon serves this home, nor starts or stops. */
export const isHomeFree = async (paths: Paths): Promise<boolean> => {
  if (!existsSync(paths.lock)) return true;
  const lock = await takeLock(paths.lock);
  lock?.release();
  return lock !== null;
};

/** Calls `work` with the lock of this home, so that no daemon starts during it. Returns false without the call if a daemon has the lock. */
export const whileHomeFree = async (paths: Paths, work: () => unknown): Promise<boolean> => {
  const lock = await takeLock(paths.lock);
  if (!lock) return false;
  try {
    await work();
    return true;
  } finally {
    lock.release();
  }
};

/** Removes the mark of a start that a hook began. */
export const removeStarting = (paths: Paths): void => {
  if (!statSync(paths.starting, { throwIfNoEntry: false })) return;
  try {
    rmdirSync(paths.starting);
  } catch {
    /* the hook that made it has removed it */
  }
};

const holder = (paths: Paths): string => {
  try {
    const { pid, url } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number; url: string };
    return ` (pid ${pid}, ${url})`;
  } catch {
    return '';
  }
};
