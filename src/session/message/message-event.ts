/** The events of a message, as the log has them and as the reducer reads them. */
import type { Receipt, SendMessage } from '../../contract/hub.ts';
import type { Outcome } from './message.ts';

interface Base {
  /** The id of the message. */
  message: string;
  sessionId: string;
  at: number;
}

/** What each event contains besides the message, its session and the time. */
export interface MessageFields {
  MessageQueued: {
    text: string;
    as: SendMessage['as'];
    force: boolean;
    key: string | null;
    digest: string;
    /** A person sent it from the board or the page. */
    byHand?: boolean;
  };
  /** It is for the conversation that follows. */
  MessageMoved: object;
  /** Logged before the first key. `after` is the end of the log at that moment. */
  MessageTyping: { after: number; carried: boolean };
  /** It was pasted and could not be seen in the prompt. */
  MessageUnseen: object;
  /** It was certainly not typed, so it may be typed again. */
  MessageRequeued: object;
  MessageTyped: object;
  /** `prompt` is the seq of its UserPromptSubmit; none where no hook reported it. */
  MessageSubmitted: { submittedAt: number; prompt?: number };
  MessageAnswered: { answer: string | null; usage: Receipt['usage'] };
  MessageUnanswered: { outcome: Exclude<Outcome, 'stopped'>; answer: string | null };
  MessageRefused: { reason: string | null };
  MessageUnknown: { reason: string | null };
}

export type MessageEventName = keyof MessageFields;
export type MessageEvent = {
  [Name in MessageEventName]: Base & { name: Name } & MessageFields[Name];
}[MessageEventName];

/** Reads a message event of the log. Returns null for other events, and for one that an earlier build wrote without its fields. */
export const messageEventOf = (
  { name, sessionId, at }: { name: string; sessionId: string | null; at: number },
  payload: object | null,
): MessageEvent | null => {
  if (!isMessageEvent(name)) return null;
  const fields = payload as Record<string, unknown> | null;
  if (typeof fields?.message !== 'string' || sessionId === null || !isComplete[name](fields)) return null;
  const { session_id, ...rest } = fields;
  void session_id;
  return { ...rest, name, sessionId, at } as unknown as MessageEvent;
};

const isMessageEvent = (name: string): name is MessageEventName => Object.hasOwn(isComplete, name);

type Fields = Record<string, unknown>;
const always = () => true;
const isText = (value: unknown): boolean => value === null || typeof value === 'string';
const hasReason = ({ reason }: Fields): boolean => isText(reason);

const isComplete: Record<MessageEventName, (fields: Fields) => boolean> = {
  MessageQueued: ({ text, as, force, key, digest, byHand }) =>
    typeof text === 'string' &&
    (as === 'text' || as === 'command') &&
    typeof force === 'boolean' &&
    isText(key) &&
    typeof digest === 'string' &&
    (byHand === undefined || typeof byHand === 'boolean'),
  MessageMoved: always,
  MessageTyping: ({ after, carried }) => Number.isSafeInteger(after) && typeof carried === 'boolean',
  MessageUnseen: always,
  MessageRequeued: always,
  MessageTyped: always,
  MessageSubmitted: ({ submittedAt, prompt }) =>
    Number.isFinite(submittedAt) && (prompt === undefined || Number.isSafeInteger(prompt)),
  MessageAnswered: ({ answer, usage }) => isText(answer) && typeof usage === 'object',
  MessageUnanswered: ({ outcome, answer }) =>
    ['failed', 'interrupted', 'ended'].includes(outcome as string) && isText(answer),
  MessageRefused: hasReason,
  MessageUnknown: hasReason,
};
