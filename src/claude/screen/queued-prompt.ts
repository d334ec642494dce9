/**
 * A prompt that was sent while the session worked. The CLI keeps it until the turn is over; 2.1.197 fires no hook before that,
 * but writes it to the transcript at once.
 */
import { readTail } from '../transcript-file.ts';
import { transcriptLines } from '../transcript.ts';
import { withoutSpace } from './without-space.ts';

/** The newest one since then that is not `own`; null when the transcript shows none. */
export const queuedPrompt = (
  transcript: string | null,
  since: number,
  /** The caller's own prompt, which is queued too while the CLI is busy, e.g. with a `/clear`. */
  own: string | null = null,
): string | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const line = transcriptLines(tail.text, tail.fromStart).findLast(
    ({ type, operation, timestamp, content }) =>
      type === 'queue-operation' &&
      operation === 'enqueue' &&
      Date.parse(timestamp ?? '') >= since &&
      // The end of a background task is queued like a prompt.
      !content?.startsWith('<task-notification>') &&
      (own === null || withoutSpace(content ?? '') !== withoutSpace(own)),
  );
  return line ? (line.content ?? '') : null;
};
