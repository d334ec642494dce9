/** How long sessions have waited, and what they have done. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { firstMidnight, statsOf } from '../../session/history/stats.ts';
import { timelineOf } from '../../session/history/timeline.ts';
import { queueOf } from '../../session/queue/queue.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../call.ts';

export const statsHandlers = (
  loop: Loop,
  store: Pick<Store, 'waits' | 'spans'>,
  clock: Clock,
): Pick<Handlers, 'stats' | 'timeline'> => ({
  stats: ({ query }) => {
    const days = Number(query.get('days') ?? limits.stats.defaultDays);
    if (!Number.isInteger(days) || days < 1 || days > limits.stats.maxDays)
      throw new DroverError('bad_request', `days must be a number from 1 to ${limits.stats.maxDays}.`);
    const now = clock.now();
    const open = queueOf(loop.sessionIndex.live(), now).map(({ session }) => session);
    return statsOf(store.waits.read(firstMidnight(now, days)), open, now, days);
  },
  timeline: ({ query }) => {
    const now = clock.now();
    const hours = query.get('hours');
    if (hours !== null && !(Number(hours) > 0 && Number(hours) <= limits.stats.timelineHours))
      throw new DroverError('bad_request', `hours must be a number up to ${limits.stats.timelineHours}.`);
    const from = hours === null ? firstMidnight(now, 1) : Math.round(now - Number(hours) * 3_600_000);
    return timelineOf(store.spans.read(from), loop.sessionIndex.live(), from, now);
  },
});
