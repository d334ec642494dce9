/** Sends a request again where the broker may not know its receiver for a moment. */
import { limits } from '../limits.ts';
import { type Bus, NoReceiver } from './bus.ts';
import { pause } from './retry.ts';

/** Like `bus.request`. Nobody has received the request when it is sent again. */
export const requestWithRetry = async (
  bus: Pick<Bus, 'request' | 'state'>,
  subject: string,
  bytes: Uint8Array,
  onPart: Parameters<Bus['request']>[2],
  timeoutMs: number,
  isExpected: () => boolean,
): Promise<void> => {
  for (let tries = 1; ; tries++)
    try {
      await bus.request(subject, bytes, onPart, timeoutMs);
      return;
    } catch (error) {
      const isLast = tries === limits.fleet.askTries || bus.state.connection !== 'connected';
      if (!(error instanceof NoReceiver) || isLast || !isExpected()) throw error;
      await pause(limits.fleet.requestRetry);
    }
};
