/** From a prompt that Claude Code has taken to the end of its turn. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt } from '../../contract/hub.ts';
import { isSamePrompt, promptTakenAt } from '../../driver/turn/taken-prompt.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import type { Message } from '../../store/receipt-table.ts';

/** Whether this UserPromptSubmit is of that message. */
export const isPromptOf = (hook: Hook | null, message: Message): boolean => isTextOf(hook?.prompt, message);

/** A message without its text, which is not kept for ever, may be any prompt. */
const isTextOf = (prompt: unknown, { text }: Message): boolean =>
  text === null ? typeof prompt === 'string' : isSamePrompt(prompt, text);

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

/** When the transcript shows that a message was taken; null when it does not, or not yet. */
export const takenUpAt = (
  transcript: string | null,
  message: Message,
  since = message.queuedAt,
): number | null => promptTakenAt(transcript, since, prompt => isTextOf(prompt, message));

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
