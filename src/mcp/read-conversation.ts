/** Reads conversations in parts that fit into a tool result. The route pages forwards, so the newest messages are on its last page. */
import type { TranscriptPage } from '../contract/hub.ts';
import { DroverError } from '../contract/error.ts';
import type { SessionPage } from '../contract/api.ts';
import { limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';

type Message = TranscriptPage['messages'][number];

export interface Tail {
  messages: Message[];
  /** How many messages before them were left out. */
  earlier: number;
}

/** Reads messages after a cursor, up to a limit of messages and characters. A single message over the limit is truncated. */
export const transcriptPage = async (
  id: string,
  after: number,
  limit: number,
  daemon: Daemon,
  signal: AbortSignal,
): Promise<TranscriptPage> => {
  const page = await daemon.call('readTranscript', { id, query: { after, limit: limit }, signal });
  const fitting = countFitting(page.messages);
  if (fitting === page.messages.length || page.messages.length === 1)
    return { ...page, messages: page.messages.map(shorten) };
  // The cursor is a position in the file, so it belongs to a whole page.
  return transcriptPage(id, after, Math.max(1, fitting), daemon, signal);
};

/** Reads the last `limit` messages, fewer when they are long; none for a session without a transcript. */
export const transcriptTail = async (
  id: string,
  limit: number,
  daemon: Daemon,
  signal: AbortSignal,
): Promise<Tail> => {
  let messages: Message[] = [];
  let read = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: TranscriptPage | null = await pageAt(id, after, daemon, signal);
    if (!page) break;
    read += page.messages.length;
    messages = [...messages, ...page.messages].slice(-limit).map(shorten);
    after = page.next;
  }
  const fitting = Math.max(1, countFitting(messages.toReversed()));
  messages = messages.slice(-fitting);
  return { messages, earlier: read - messages.length };
};

/** Returns what the session answered last; null when it has answered nothing yet. */
export const lastAnswer = async (
  { id, reason, detail }: Pick<SessionPage, 'id' | 'reason' | 'detail'>,
  daemon: Daemon,
  signal: AbortSignal,
): Promise<string | null> => {
  if (reason === 'stopped' && detail?.text && detail.cut === 0) return shortenText(detail.text);
  const { messages } = await transcriptTail(id, 200, daemon, signal);
  return messages.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? null;
};

const pageAt = async (
  id: string,
  after: number,
  daemon: Daemon,
  signal: AbortSignal,
): Promise<TranscriptPage | null> => {
  try {
    return await daemon.call('readTranscript', { id, query: { after, limit: 1_000 }, signal });
  } catch (error) {
    if (error instanceof DroverError && error.code === 'no_transcript') return null;
    throw error;
  }
};

/** Returns how many messages, from the first on, fit into one result. */
const countFitting = (messages: Message[]): number => {
  let size = 0;
  const tooMuch = messages.findIndex(({ text }) => (size += text.length) > limits.mcp.conversationText);
  return tooMuch === -1 ? messages.length : tooMuch;
};

const shorten = (message: Message): Message => ({ ...message, text: shortenText(message.text) });

const shortenText = (text: string): string => {
  const maxLength = limits.mcp.conversationText;
  if (text.length <= maxLength) return text;
  const note = `\n[${text.length - maxLength} more characters]`;
  return `${text.slice(0, maxLength - note.length)}${note}`;
};
