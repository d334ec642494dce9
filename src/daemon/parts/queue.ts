/** The queue of waiting sessions. */
import { queueHandlers } from '../../server/handlers/queue.ts';
import { statsHandlers } from '../../server/handlers/stats.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Core } from '../core.ts';

export interface QueueDeps {
  notices: { onPageSeen: (id: string) => void };
  fleet: { readonly peers: Peers | null };
}

export const openQueue = ({ loop, store, clock, config }: Core, { notices, fleet }: QueueDeps) => ({
  name: 'queue',
  handlers: {
    ...queueHandlers(
      loop,
      clock,
      () => config.order,
      notices.onPageSeen,
      () => fleet.peers,
    ),
    ...statsHandlers(loop, store, clock),
  },
});
