/** Reads a turn's answer and its tokens from the transcript. */
import { readTail } from '../../claude/transcript-file.ts';
import { promptOf, textBlocks, type TranscriptLine, transcriptLines } from '../../claude/transcript.ts';

export interface TurnSpan {
  /** From the prompt to the end, ms. */
  from: number;
  to: number;
  /** The last message; null when it is not known. */
  answer: string | null;
}

export interface FoundUsage {
  usage: Record<string, unknown>;
  /** It belongs to the answer. Otherwise to an earlier message: the transcript is late. */
  last: boolean;
}

/** Null when the transcript does not have it, or not yet. */
export const usageOf = (transcript: string | null, { from, to, answer }: TurnSpan): FoundUsage | null => {
  const lines = linesOf(transcript, from, to).filter(
    ({ type, message }) => type === 'assistant' && message?.usage,
  );
  const answerLine =
    answer === null ? undefined : lines.findLast(line => textIn(line).includes(answer.trim()));
  const usage = (answerLine ?? lines.at(-1))?.message?.usage;
  return usage ? { usage: { ...usage }, last: answerLine !== undefined || answer === null } : null;
};

/** The whole answer of a turn that no hook reported; null when the transcript does not have it, or not yet. */
export const answerIn = (
  transcript: string | null,
  { from, to }: Pick<TurnSpan, 'from' | 'to'>,
): string | null => {
  const lines = linesOf(transcript, from, to).filter(({ type }) => type === 'assistant' || type === 'user');
  // The prompt of the next turn may follow it.
  const last = lines.findLast(line => promptOf(line) === null);
  // The last line is a tool call or its result: the answer comes later.
  if (last?.type !== 'assistant' || callsTool(last)) return null;
  // Each block of a message has its own line.
  const id = last.message?.id;
  const blocks = lines.filter(line => line === last || (id !== undefined && line.message?.id === id));
  return blocks.map(textIn).filter(Boolean).join('\n') || null;
};

const callsTool = ({ message }: TranscriptLine): boolean =>
  Array.isArray(message?.content) &&
  (message.content as { type?: string }[]).some(({ type }) => type === 'tool_use');

/** The lines of the main thread within this time. */
const linesOf = (transcript: string | null, from: number, to: number): TranscriptLine[] => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return [];
  return transcriptLines(tail.text, tail.fromStart).filter(
    ({ isSidechain, isMeta, timestamp }) => !isSidechain && !isMeta && isWithin(timestamp, from, to),
  );
};

const isWithin = (timestamp: string | undefined, from: number, to: number): boolean => {
  const at = Date.parse(timestamp ?? '');
  // The clock was set back during the turn.
  return from > to ? at >= from || at <= to : at >= from && at <= to;
};

const textIn = ({ message }: TranscriptLine): string => textBlocks(message?.content).join('');
