/** Reads the events of a session from the log, oldest first. */
import type { Event } from '../../contract/event.ts';
import type { HookFact } from '../../driver/turn/turn-ends.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Log } from '../../store/log.ts';

/** The events after `after`. */
export function* loggedEvents(log: Log, sessionId: string, after: number): Generator<Event> {
  for (let cursor = after; ; ) {
    const events = log.read({ after: cursor, sessionId, rows: 500, bytes: 16_000_000 });
    yield* events;
    const last = events.at(-1);
    if (!last) return;
    cursor = last.seq;
  }
}

/** The same with their payloads. */
export function* loggedHooks(log: Log, sessionId: string, after: number): Generator<HookFact> {
  for (const event of loggedEvents(log, sessionId, after)) yield { event, payload: parseObject(event.raw) };
}
