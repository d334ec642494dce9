/** From a prompt that Claude Code has taken to the end of its turn. */
import { readTail } from '../../claude/transcript-file.ts';
import { type TranscriptLine, transcriptLines } from '../../claude/transcript.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt } from '../../contract/hub.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import type { Message } from '../../store/receipt-table.ts';

/** Whether this UserPromptSubmit is of that message. */
export const isPromptOf = (hook: Hook | null, message: Message): boolean => isTextOf(hook?.prompt, message);

// A long paste is unfolded again by the CLI; tabs become spaces. The words are the same.
const isTextOf = (prompt: unknown, { text }: Message): boolean =>
  typeof prompt === 'string' && (text === null || bare(prompt) === bare(text));

const bare = (text: string): string => text.replace(/\s+/g, '');

/** The UserPromptSubmit of a message in the log, behind the moment in which it was typed. */
export const promptOfMessage = (log: Log, message: Message): Event | null => {
  let after = message.typingSeq ?? 0;
  for (;;) {
    const events = log.read({ after, sessionId: message.sessionId, rows: 500, bytes: 16_000_000 });
    const found = events.find(
      event => event.name === 'UserPromptSubmit' && isPromptOf(parseObject(event.raw), message),
    );
    if (found || events.length === 0) return found ?? null;
    after = events.at(-1)?.seq ?? after;
  }
};

/**
 * When a message that was typed while the session worked was taken up, by the transcript: as the prompt of a turn of its
 * own, or in the middle of the one that ran, for which 2.1.197 fires no hook. Null: not yet.
 */
export const takenUpAt = (
  transcript: string | null,
  message: Message,
  since = message.queuedAt,
): number | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const line = transcriptLines(tail.text, tail.fromStart).find(
    one => !one.isSidechain && timeOf(one) >= since && isTextOf(promptIn(one), message),
  );
  return line ? timeOf(line) : null;
};

const timeOf = ({ timestamp }: TranscriptLine): number => Date.parse(timestamp ?? '');

const promptIn = ({ type, message, attachment }: TranscriptLine): unknown => {
  if (type === 'attachment') return attachment?.type === 'queued_command' ? attachment.prompt : null;
  if (type !== 'user') return null;
  const content = message?.content;
  if (!Array.isArray(content)) return content;
  return (content as { type?: string; text?: string }[]).find(block => block.type === 'text')?.text;
};

/** How the turn that began at `began` ended; null while it goes on. */
export const outcomeOf = (session: Folded, began: number): Receipt['outcome'] => {
  const { state, reason, memory } = session;
  const over = memory.end !== null && memory.end.evidence.at >= began;
  if (state === 'ended') return 'ended';
  if (state === 'waiting' && reason === 'interrupted') return 'interrupted';
  if (state === 'waiting' && reason === 'failed' && over) return 'failed';
  return over && (state === 'waiting' || state === 'background') ? 'stopped' : null;
};

/** What was said at the end of the last turn, where no hook told it. */
export const answerOf = ({ memory: { end } }: Folded): string | null => end?.detail?.text ?? null;
