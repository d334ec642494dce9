/** Reads the events of a session from the log, with their payloads. */
import type { HookFact } from '../../driver/turn/turn-ends.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Log } from '../../store/log.ts';

/** The events after `after`, oldest first. */
export function* loggedHooks(log: Log, sessionId: string, after: number): Generator<HookFact> {
  for (let cursor = after; ; ) {
    const events = log.read({ after: cursor, sessionId, rows: 500, bytes: 16_000_000 });
    for (const event of events) yield { event, payload: parseObject(event.raw) };
    const last = events.at(-1);
    if (!last) return;
    cursor = last.seq;
  }
}
