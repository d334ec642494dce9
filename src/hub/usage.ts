/** The tokens of a turn's last answer, from the transcript. */
import { readTail } from '../claude/transcript-file.ts';
import { type TranscriptLine, transcriptLines } from '../claude/transcript.ts';

export interface TurnSpan {
  /** From the prompt to the end, ms. */
  from: number;
  to: number;
  /** What was said last. */
  answer: string | null;
}

export interface FoundUsage {
  usage: Record<string, unknown>;
  /** It stands beside the answer itself. Otherwise beside something said before: the transcript is late. */
  last: boolean;
}

/** Null where the transcript does not say, or does not say yet. */
export const usageOf = (transcript: string | null, { from, to, answer }: TurnSpan): FoundUsage | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const lines = transcriptLines(tail.text, tail.fromStart).filter(
    ({ type, isSidechain, message, timestamp }) =>
      type === 'assistant' && !isSidechain && message?.usage && isWithin(timestamp, from, to),
  );
  const said = answer === null ? undefined : lines.findLast(line => textIn(line).includes(answer.trim()));
  const usage = (said ?? lines.at(-1))?.message?.usage;
  return usage ? { usage: { ...usage }, last: said !== undefined || answer === null } : null;
};

const isWithin = (timestamp: string | undefined, from: number, to: number): boolean => {
  const at = Date.parse(timestamp ?? '');
  return at >= from && at <= to;
};

const textIn = ({ message }: TranscriptLine): string =>
  (Array.isArray(message?.content) ? (message.content as { text?: string }[]) : [])
    .map(({ text }) => text ?? '')
    .join('');
