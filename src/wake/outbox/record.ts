/** What became of a wake, as an event of the log. */
import type { Draft } from '../../contract/event.ts';
import type { Wake } from '../../contract/wake.ts';

export const wakeDraft = (wake: Wake, extra: object = {}): Draft => {
  const { id, agent, sessionId, trigger, status, source, tries, together, hops, duration, reason, doneAt } =
    wake;
  return {
    at: doneAt ?? wake.at,
    source: 'drover',
    name: 'Wake',
    sessionId,
    context: {},
    raw: Buffer.from(
      JSON.stringify({
        session_id: sessionId,
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
      }),
    ),
  };
};
