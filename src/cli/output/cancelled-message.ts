/** The line of `drover show` for a message that was scheduled for the reset of a limit and then cancelled. */
import { clean } from '../../client/text.ts';
import type { EventView } from '../../contract/event.ts';
import { continuationEvents, isContinuationEvent } from '../../session/limit/limit.ts';
import { clockTime } from './format.ts';

/** Reads it from the newest events of a session. Empty if nothing was cancelled last. */
export const cancelledLines = (events: Pick<EventView, 'name' | 'at' | 'payload'>[]): string[] => {
  const last = events.findLast(({ name }) => isContinuationEvent(name));
  const { why } = (last?.payload ?? {}) as { why?: unknown };
  if (last?.name !== continuationEvents.cancelled || typeof why !== 'string') return [];
  return [`cancelled message for the reset, ${clockTime(last.at)}: ${clean(why)}`];
};
