/** One daemon for one home. */
import { existsSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';
import { takeLock } from '../store/lock.ts';

/** How often the lock is tried: one that was killed holds it for a moment more, one that is leaving has taken its registration away. */
const attempts = { registered: 6, leaving: 40 };

/** The lock of this home. A daemon that is on its way out is waited for. */
export const lockHome = async (paths: Paths): Promise<{ release: () => void }> => {
  for (let tries = 0; ; tries++) {
    const lock = await takeLock(paths.lock);
    if (lock) return lock;
    if (tries > (existsSync(paths.daemon) ? attempts.registered : attempts.leaving)) {
      removeStarting(paths);
      throw new DroverError('daemon_held', `Another daemon already serves ${paths.home}${holder(paths)}.`);
    }
    await new Promise(done => setTimeout(done, 50));
  }
};

/** Takes away the mark of a start that a hook began. */
export const removeStarting = (paths: Paths): void => {
  if (!statSync(paths.starting, { throwIfNoEntry: false })) return;
  try {
    rmdirSync(paths.starting);
  } catch {
    /* the hook that made it has taken it away */
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
