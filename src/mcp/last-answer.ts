/** The newest messages of a transcript. The route pages forwards, so it is read to its end. */
import type { TranscriptMessage } from '../contract/hub.ts';
import { DroverError } from '../contract/error.ts';
import type * as z from 'zod';
import type { SessionPage } from '../contract/api.ts';
import { limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';

type Message = z.infer<typeof TranscriptMessage>;

export interface Tail {
  messages: Message[];
  /** How many messages before them were left out. */
  earlier: number;
}

/** Reads the last `most` messages; none for a session without a transcript. */
export const transcriptTail = async (id: string, most: number, daemon: Daemon): Promise<Tail> => {
  let messages: Message[] = [];
  let read = 0;
  let after: number | null = 0;
  for (let pages = 0; after !== null && pages < limits.mcp.transcriptPages; pages++) {
    const page = await pageAt(id, after, daemon);
    if (!page) break;
    read += page.messages.length;
    messages = [...messages, ...page.messages].slice(-most);
    after = page.next;
  }
  return { messages, earlier: read - messages.length };
};

const pageAt = async (id: string, after: number, daemon: Daemon) => {
  try {
    return await daemon.call('readTranscript', { id, query: { after, limit: 1_000 } });
  } catch (error) {
    if (error instanceof DroverError && error.code === 'no_transcript') return null;
    throw error;
  }
};

/** Returns what the session answered last; null when it has answered nothing yet. */
export const lastAnswer = async (
  { id, reason, detail }: Pick<SessionPage, 'id' | 'reason' | 'detail'>,
  daemon: Daemon,
): Promise<string | null> => {
  if (reason === 'stopped' && detail?.text && detail.cut === 0) return detail.text;
  const { messages } = await transcriptTail(id, 200, daemon);
  return messages.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? null;
};
