/** From a submitted prompt to the end of its turn. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt } from '../../contract/hub.ts';
import { isSamePrompt, promptAcceptedAt } from '../../driver/turn/accepted-prompt.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import { type BegunMessage, isAfterStart, type TurnStart } from '../../session/message/message.ts';
import { loggedEvents } from './logged-events.ts';

/** Whether this UserPromptSubmit submits this text. */
export const isPromptOf = (hook: Hook | null, text: string): boolean => isSamePrompt(hook?.prompt, text);

/** Finds the UserPromptSubmit of a message in the log, after typing began. */
export const promptOfMessage = (log: Log, message: BegunMessage): Event | null => {
  for (const event of loggedEvents(log, message.sessionId, message.typingSeq))
    if (event.name === 'UserPromptSubmit' && isPromptOf(parseObject(event.raw), message.text)) return event;
  return null;
};

/** When the transcript shows that a message was taken; null when it does not, or not yet. */
export const acceptedAt = (
  transcript: string | null,
  { queuedAt, text }: BegunMessage,
  since = queuedAt,
): number | null => promptAcceptedAt(transcript, since, prompt => isSamePrompt(prompt, text));

/** How the turn that began there ended; null while it continues. */
export const outcomeOf = (session: Folded, start: TurnStart): Receipt['outcome'] => {
  const { state, reason, memory } = session;
  const over = memory.end !== null && isAfterStart(memory.end.evidence, start);
  if (state === 'ended') return 'ended';
  if (state === 'waiting' && reason === 'interrupted') return 'interrupted';
  if (state === 'waiting' && (reason === 'failed' || reason === 'limit') && over) return 'failed';
  return over && (state === 'waiting' || state === 'background') ? 'stopped' : null;
};

/** The last message of the last turn, for a turn whose hook did not carry it. */
export const answerOf = ({ memory: { end } }: Folded): string | null => end?.detail?.text ?? null;
