/** A turn's last answer and its tokens, from the transcript. */
import { readTail } from '../../claude/transcript-file.ts';
import { promptOf, type TranscriptLine, transcriptLines } from '../../claude/transcript.ts';

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
  const lines = linesOf(transcript, from, to).filter(
    ({ type, message }) => type === 'assistant' && message?.usage,
  );
  const said = answer === null ? undefined : lines.findLast(line => textIn(line).includes(answer.trim()));
  const usage = (said ?? lines.at(-1))?.message?.usage;
  return usage ? { usage: { ...usage }, last: said !== undefined || answer === null } : null;
};

/** What the turn came to, whole, where no hook told it; null where the transcript does not say, or does not say yet. */
export const answerIn = (
  transcript: string | null,
  { from, to }: Pick<TurnSpan, 'from' | 'to'>,
): string | null => {
  const lines = linesOf(transcript, from, to).filter(({ type }) => type === 'assistant' || type === 'user');
  // The prompt of a turn that followed at once may stand behind it.
  const last = lines.findLast(line => promptOf(line) === null);
  // The result of a tool stands last, or a call: the answer is on its way.
  if (last?.type !== 'assistant' || callsTool(last)) return null;
  // Each block of a message is a line of its own.
  const id = last.message?.id;
  const blocks = lines.filter(line => line === last || (id !== undefined && line.message?.id === id));
  return blocks.map(textIn).filter(Boolean).join('\n') || null;
};

const callsTool = ({ message }: TranscriptLine): boolean =>
  Array.isArray(message?.content) &&
  (message.content as { type?: string }[]).some(({ type }) => type === 'tool_use');

/** Those of the main thread within this time. */
const linesOf = (transcript: string | null, from: number, to: number): TranscriptLine[] => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return [];
  return transcriptLines(tail.text, tail.fromStart).filter(
    ({ isSidechain, isMeta, timestamp }) => !isSidechain && !isMeta && isWithin(timestamp, from, to),
  );
};

const isWithin = (timestamp: string | undefined, from: number, to: number): boolean => {
  const at = Date.parse(timestamp ?? '');
  return at >= from && at <= to;
};

const textIn = ({ message }: TranscriptLine): string =>
  (Array.isArray(message?.content) ? (message.content as { text?: string }[]) : [])
    .map(({ text }) => text ?? '')
    .join('');
