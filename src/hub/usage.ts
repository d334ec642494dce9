/** The tokens of the last answer, from the transcript. */
import { readTail } from '../claude/transcript-file.ts';
import { transcriptLines } from '../claude/transcript.ts';

/** Null where the transcript does not say. */
export const usageOf = (transcript: string | null): Record<string, unknown> | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const line = transcriptLines(tail.text, tail.fromStart).findLast(
    ({ type, isSidechain, message }) => type === 'assistant' && !isSidechain && message?.usage,
  );
  return line?.message?.usage ? { ...line.message.usage } : null;
};
