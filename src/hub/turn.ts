/** From a prompt that Claude Code has taken to the end of its turn. */
import type { Event } from '../contract/event.ts';
import type { Receipt } from '../contract/hub.ts';
import { parseObject } from '../hook/payload.ts';
import type { Folded } from '../session/memory.ts';
import type { Log } from '../store/log.ts';
import type { Message } from '../store/receipt-table.ts';

/** Whether this UserPromptSubmit is of that message. */
export const isPromptOf = (event: Event, { text }: Message): boolean => {
  const prompt = parseObject(event.raw)?.prompt;
  // A long paste is unfolded again by the CLI; tabs become spaces. The words are the same.
  return typeof prompt === 'string' && (text === null || bare(prompt) === bare(text));
};

const bare = (text: string): string => text.replace(/\s+/g, '');

/** The UserPromptSubmit of a message in the log, behind the moment in which it was typed. */
export const promptOfMessage = (log: Log, message: Message): Event | null => {
  let after = message.typingSeq ?? 0;
  for (;;) {
    const events = log.read({ after, sessionId: message.sessionId, rows: 500, bytes: 16_000_000 });
    const found = events.find(event => event.name === 'UserPromptSubmit' && isPromptOf(event, message));
    if (found || events.length === 0) return found ?? null;
    after = events.at(-1)?.seq ?? after;
  }
};

/** How the turn that began at `submittedAt` ended; null while it goes on. */
export const outcomeOf = (session: Folded, submittedAt: number): Receipt['outcome'] => {
  const { state, reason, memory } = session;
  const over = memory.end !== null && memory.end.evidence.at >= submittedAt;
  if (state === 'ended') return 'ended';
  if (state === 'waiting' && reason === 'interrupted') return 'interrupted';
  if (state === 'waiting' && reason === 'failed' && over) return 'failed';
  return over && (state === 'waiting' || state === 'background') ? 'stopped' : null;
};

/** What was said at the end of the last turn, whole: the session itself keeps only the beginning of a long one. */
export const answerOf = (log: Log, { id, memory: { end } }: Folded): string | null => {
  if (!end) return null;
  const [event] = log.read({ after: end.evidence.seq - 1, sessionId: id, rows: 1 });
  const said = event?.seq === end.evidence.seq ? parseObject(event.raw) : null;
  const text = said?.last_assistant_message ?? said?.message;
  return typeof text === 'string' ? text : (end.detail?.text ?? null);
};
