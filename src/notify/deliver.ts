/** Sends a notice through all channels at once. A failure is part of the result and does not affect the other channels. */
import type { Notice } from '../contract/notice.ts';
import type { Channel, Delivery } from './channel.ts';

export const deliver = (notice: Notice, channels: Channel[]): Promise<Delivery[]> =>
  Promise.all(
    channels.map(async ({ name, send }) => {
      try {
        await send(notice);
        return { channel: name, failure: null };
      } catch (error) {
        return { channel: name, failure: (error as Error).message };
      }
    }),
  );
