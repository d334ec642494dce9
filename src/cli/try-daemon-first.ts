/** Asks the daemon, or changes its files if there is none. */
import { isDown } from '../client/stream.ts';
import { refuseInside } from './refuse-inside.ts';
import type { Call } from './verb.ts';

export const tryDaemonFirst = <T>(call: Call, asked: Promise<T>, directly: () => T): Promise<T> =>
  asked.catch((error: unknown) => {
    if (!isDown(error)) throw error;
    // A daemon would reject it itself.
    refuseInside(call);
    return directly();
  });
