/** The queue of waiting sessions. */
import { queueHandlers } from '../../server/handlers/queue.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Core } from '../core.ts';

export const openQueue = (
  { loop, store, clock, config }: Core,
  { onPageLook }: { onPageLook: (id: string) => void },
  fleet: { readonly peers: Peers | null },
) => ({
  name: 'queue',
  handlers: queueHandlers(
    loop,
    store,
    clock,
    () => config.order,
    onPageLook,
    () => fleet.peers,
  ),
});
