/** Starting the parts of the daemon one after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { isStoreFault } from '../store/sqlite-error.ts';

/** Starts a part. Where the store fails it is tried again; a part that fails otherwise does not keep the others down. */
export const startPart = async (
  part: { start: () => void },
  stopping: () => boolean,
  onError: (message: string, error: unknown) => void,
): Promise<void> => {
  while (!stopping()) {
    try {
      part.start();
      return;
    } catch (error) {
      onError('a part of the daemon could not be started', error);
      if (!isStoreFault(error)) return;
      await pause(limits.store.retry);
    }
  }
};
