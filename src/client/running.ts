/** Reads the status of the daemon. */
import type { Status } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';
import { call } from './call.ts';

/** The status of the running daemon, or null when none runs. */
export const runningDaemon = async (paths: Paths): Promise<Status | null> => {
  try {
    return await call(paths, 'status');
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down') return null;
    throw error;
  }
};
