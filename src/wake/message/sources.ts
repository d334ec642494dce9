/** Read what wake messages need from the store. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { parseObject } from '../../hook/payload.ts';
import { learnedWindows } from '../../hook/learned-windows.ts';
import type { Store } from '../../store/store.ts';
import type { ContentSources } from './content.ts';

export const storeSources = (store: Store): ContentSources => ({
  payloadAt: (seq): Hook | null => {
    const event = eventAt(store, seq);
    return event && parseObject(event.raw);
  },
  findWindow: learnedWindows(store.facts).find,
  exchangeCapture: (id, text) => store.write(() => store.wakes.exchangeCapture(id, text)),
});

/** Read an event of the log; null when it has been removed. */
export const eventAt = (store: Store, seq: number): Event | null => {
  const [event] = store.log.read({ after: seq - 1, rows: 1 });
  return event?.seq === seq ? event : null;
};

/** Find the prompt that began the current turn of a session; null when unknown. */
export const promptOfTurn = (store: Store, sessionId: string): string | null => {
  for (const { raw } of store.log.backwards(sessionId, 'UserPromptSubmit')) {
    const prompt = parseObject(raw)?.prompt;
    // The CLI's own notifications belong to the previous turn.
    if (typeof prompt === 'string' && !prompt.startsWith('<task-notification>')) return prompt;
  }
  return null;
};
