/** Retries what the broker cannot do yet: a stream may not be there, or a cluster elects its leader. */
import { limits } from '../limits.ts';

/** Runs the work until it succeeds or is no longer wanted. Reports its third failure. */
export const retry = async (
  work: () => Promise<void>,
  isWanted: () => boolean,
  onThirdFailure: (error: unknown) => void,
): Promise<void> => {
  for (let tries = 0; isWanted(); tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 2 && isWanted()) onThirdFailure(error);
      await pause(limits.fleet.maxReadRetry);
    }
  }
};

/** Waits without keeping the process alive. */
export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());
