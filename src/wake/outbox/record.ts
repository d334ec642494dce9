/** Builds the event that records what became of a wake. */
import type { Draft } from '../../contract/event.ts';
import type { Wake } from '../../contract/wake.ts';
import { ownEvent } from '../../session/own-event.ts';

export const draftOfWake = (wake: Wake, extra: object = {}): Draft => {
  const { id, agent, trigger, status, source, tries, together, hops, duration, reason } = wake;
  return ownEvent('Wake', wake.sessionId, wake.doneAt ?? wake.at, {
    wake: id,
    agent,
    trigger,
    outcome: status,
    source,
    tries,
    together,
    hops,
    duration_ms: duration,
    reason,
    ...extra,
  });
};
