/** Reads the status of the daemon. */
import type { Status } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { call, type CallOptions } from './call.ts';

/** The status of the running daemon, or null when none runs. Throws `starting` while it reads its log. */
export const runningDaemon = async (paths: Paths, options: CallOptions = {}): Promise<Status | null> => {
  try {
    return await call(paths, 'status', options);
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down') return null;
    throw error;
  }
};

/**
 * The same, but waits for a daemon that reads its log: for a moment, or with `onStarting`, which is called with how far it has come,
 * until it is ready. Of another build it says nothing.
 */
export const readyDaemon = (paths: Paths, onStarting?: (text: string) => void): Promise<Status | null> =>
  whenRead(() => runningDaemon(paths, { isAnyBuild: true }), onStarting);

/**
 * The build of the running daemon, null when none runs. Asks for an answer because a killed daemon still accepts connections for
 * about 50 ms.
 */
export const runningBuild = (paths: Paths): Promise<string | null> =>
  whenRead(async () => {
    try {
      return (await call(paths, 'health', { isAnyBuild: true })).version;
    } catch (error) {
      if (error instanceof DroverError && error.code === 'daemon_down') return null;
      throw error;
    }
  });

const whenRead = async <T>(ask: () => Promise<T>, onStarting?: (text: string) => void): Promise<T> => {
  for (const deadline = performance.now() + limits.daemon.startingPatience; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (!isStarting(error) || (!onStarting && performance.now() > deadline)) throw error;
      onStarting?.((error as DroverError).message);
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
};

export const isStarting = (error: unknown): boolean =>
  error instanceof DroverError && error.code === 'starting';
