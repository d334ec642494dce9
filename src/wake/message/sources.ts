/** What the store knows for the telling of a wake. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Store } from '../../store/store.ts';
import type { Sources } from './content.ts';

export const sourcesOf = (store: Store): Sources => ({
  payloadAt: (seq): Hook | null => {
    const event = eventAt(store, seq);
    return event && parseObject(event.raw);
  },
  exchangeCapture: (id, text) => store.write(() => store.wakes.exchangeCapture(id, text)),
});

/** An event of the log; null when it is not there any more. */
export const eventAt = (store: Store, seq: number): Event | null => {
  const [event] = store.log.read({ after: seq - 1, rows: 1 });
  return event?.seq === seq ? event : null;
};

/** What began the present turn of a session; null where nobody knows. */
export const promptBehind = (store: Store, sessionId: string): string | null => {
  for (const { raw } of store.log.backwards(sessionId, 'UserPromptSubmit')) {
    const prompt = parseObject(raw)?.prompt;
    // What the CLI tells itself belongs to the turn before.
    if (typeof prompt === 'string' && !prompt.startsWith('<task-notification>')) return prompt;
  }
  return null;
};
