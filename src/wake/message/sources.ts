/** Read what wake messages need from the store. */
import { withoutPasteMarks } from '../../claude/paste-marks.ts';
import type { Hook } from '../../contract/hook.ts';
import { parseObject } from '../../hook/payload.ts';
import { learnedWindows } from '../../hook/learned-windows.ts';
import type { Store } from '../../store/store.ts';
import type { ContentSources } from './content.ts';

export const storeSources = (store: Store): ContentSources => ({
  payloadAt: (seq): Hook | null => {
    const event = store.log.at(seq);
    return event && parseObject(event.raw);
  },
  findWindow: learnedWindows(store.facts).find,
  exchangeCapture: (id, text) => store.write(() => store.wakes.exchangeCapture(id, text)),
});

/** Find the prompt that began the current turn of a session; null when unknown. */
export const promptOfTurn = (store: Store, sessionId: string): string | null => {
  for (const { raw } of store.log.backwards(sessionId, 'UserPromptSubmit')) {
    const prompt = parseObject(raw)?.prompt;
    // The CLI's own notifications belong to the previous turn.
    if (typeof prompt === 'string' && !prompt.startsWith('<task-notification>'))
      return withoutPasteMarks(prompt);
  }
  return null;
};
