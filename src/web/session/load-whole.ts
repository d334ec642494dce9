/** Loads the complete text of a message that the list has cut. */
import type { TranscriptPage } from '../../contract/hub.ts';
import type { Detail } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';

/** Searches the newest events, then the transcript; null where neither has it. */
export const loadWhole = async (sessionId: string, detail: Detail): Promise<string | null> => {
  const isWhole = (text: unknown): text is string =>
    typeof text === 'string' &&
    text.length === (detail.text?.length ?? 0) + detail.cut &&
    text.startsWith(detail.text ?? '');
  return (await inLog(sessionId, isWhole)) ?? (await inTranscript(sessionId, isWhole));
};

type IsWhole = (text: unknown) => text is string;

const inLog = async (sessionId: string, isWhole: IsWhole): Promise<string | null> => {
  const { events } = await call('readLog', { query: { session: sessionId, last: 100 } });
  for (const { payload } of events.toReversed()) {
    const found = typeof payload === 'object' && payload ? Object.values(payload).find(isWhole) : undefined;
    if (found !== undefined) return found;
  }
  return null;
};

const inTranscript = async (sessionId: string, isWhole: IsWhole): Promise<string | null> => {
  let found: string | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const page: TranscriptPage = await call('readTranscript', {
      id: sessionId,
      query: { after, limit: 1_000 },
    });
    found = page.messages.map(({ text }) => text).findLast(isWhole) ?? found;
    after = page.next;
  }
  return found;
};
