/** The queue of waiting sessions. */
import { queueHandlers } from '../../server/handlers/queue.ts';
import type { Core } from '../core.ts';

export const openQueue = (
  { loop, store, clock, config }: Core,
  { onPageLook }: { onPageLook: (id: string) => void },
) => ({
  name: 'queue',
  handlers: queueHandlers(loop, store, clock, () => config.order, onPageLook),
});
