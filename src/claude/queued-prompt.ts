/**
 * A prompt that somebody sent while the session was at work. The CLI keeps it until the turn is over; 2.1.197 fires no hook before
 * that, but writes it into the transcript at once.
 */
import { readTail } from './transcript-file.ts';
import { transcriptLines } from './transcript.ts';

/** The newest one since then that is not `own`; null for none, or where the transcript does not say. */
export const queuedPrompt = (
  transcript: string | null,
  since: number,
  /** What the caller sent itself: queued too where the CLI was still busy, e.g. with a `/clear`. */
  own: string | null = null,
): string | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const line = transcriptLines(tail.text, tail.fromStart).findLast(
    ({ type, operation, timestamp, content }) =>
      type === 'queue-operation' &&
      operation === 'enqueue' &&
      Date.parse(timestamp ?? '') >= since &&
      // A background task that is over is queued like a prompt.
      !content?.startsWith('<task-notification>') &&
      (own === null || bare(content ?? '') !== bare(own)),
  );
  return line ? (line.content ?? '') : null;
};

const bare = (text: string): string => text.replace(/\s+/g, '');
