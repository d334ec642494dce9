/**
 * The life cycle of a message, from the request that sent it to the end of the turn that it began. Each phase has the
 * fields that exist in it and no others. The receipt that programs read is a view of it.
 */
import type { MessageWait, Receipt, SendMessage } from '../../contract/hub.ts';
import type { MessageEvent, MessageEventName } from './message-event.ts';

interface Identity {
  id: string;
  sessionId: string;
  as: SendMessage['as'];
  /** Type it even while the session works. */
  force: boolean;
  /** The caller's own name for it: the same one again is the same message. */
  key: string | null;
  /** A digest of what was sent under that name. */
  digest: string;
  queuedAt: number;
  /** A person sent it from the board or the page: any of their sessions takes it. */
  byHand?: boolean;
}

/** Only open messages keep their text. Finished ones keep the outcome. */
interface Open extends Identity {
  text: string;
}

interface Begun extends Open {
  /** The end of the log when typing began: what is newer may be its effect. */
  typingSeq: number;
  /** It was typed while the session worked: the CLI processes it later, perhaps within the running turn. */
  carried: boolean;
}

/**
 * Where in the log a turn began. Its end is the next one: compared by sequence, because the clock may be set in between. `at` is set
 * where no hook reported the prompt, so that an older end may have arrived after `seq`.
 */
export interface TurnStart {
  seq: number;
  at: number | null;
}

/** Whether something was seen after a turn began. */
export const isAfterStart = ({ seq, at }: { seq: number; at: number }, start: TurnStart): boolean =>
  seq > start.seq && (start.at === null || at >= start.at);

interface Taken {
  typedAt: number;
  submittedAt: number;
  /** Messages of earlier builds have none. */
  start?: TurnStart;
}

export type QueuedMessage = Open & { phase: 'queued' };
export type TypingMessage = Begun & { phase: 'typing' };
export type TypedMessage = Begun & { phase: 'typed'; typedAt: number };
export type SubmittedMessage = Begun & Taken & { phase: 'submitted' };
export type OpenMessage = QueuedMessage | TypingMessage | TypedMessage | SubmittedMessage;
/** Typing has begun. This is recorded before the first key, so that the message is never typed twice. */
export type BegunMessage = TypingMessage | TypedMessage | SubmittedMessage;

export type Outcome = NonNullable<Receipt['outcome']>;

export type FinishedMessage = Identity &
  (
    | ({ phase: 'answered'; answeredAt: number; answer: string | null; usage: Receipt['usage'] } & Taken)
    /** Its turn ended in another way than by an answer. */
    | ({
        phase: 'unanswered';
        answeredAt: number;
        outcome: Exclude<Outcome, 'stopped'>;
        answer: string | null;
      } & Taken)
    /** A slash command was run: no answer is awaited. */
    | ({ phase: 'ran' } & Taken)
    | { phase: 'refused'; reason: string | null }
    | { phase: 'unknown'; reason: string | null; typedAt?: number; submittedAt?: number }
  );

export type MessageState = OpenMessage | FinishedMessage;

export const isFinished = (state: MessageState): state is FinishedMessage => !isOpen(state);

export const isOpen = (state: MessageState): state is OpenMessage =>
  state.phase === 'queued' || isBegun(state);

export const isBegun = (state: MessageState): state is BegunMessage =>
  state.phase === 'typing' || state.phase === 'typed' || state.phase === 'submitted';

/** Applies one event. Returns null where the event does not apply: the message stays as it is. */
export const reduceMessage = (state: MessageState | null, event: MessageEvent): MessageState | null => {
  if (event.name === 'MessageQueued') return state === null ? queuedMessage(event) : null;
  if (state === null || !isOpen(state) || state.id !== event.message) return null;
  const reduce = transitions[event.name] as (state: OpenMessage, event: MessageEvent) => MessageState | null;
  return reduce(state, event);
};

type EventOf<Name extends MessageEventName> = Extract<MessageEvent, { name: Name }>;

/** What each event does to an open message. */
const transitions: {
  [Name in Exclude<MessageEventName, 'MessageQueued'>]: (
    state: OpenMessage,
    event: EventOf<Name>,
  ) => MessageState | null;
} = {
  MessageMoved: (state, { sessionId }) => (state.phase === 'queued' ? { ...state, sessionId } : null),
  MessageTyping: (state, { after: typingSeq, carried }) =>
    state.phase === 'queued' ? { ...state, phase: 'typing', typingSeq, carried } : null,
  MessageUnseen: state => (state.phase === 'typing' ? state : null),
  MessageRequeued: state => (isUnsubmitted(state) ? requeuedMessage(state) : null),
  MessageTyped: (state, { at: typedAt }) =>
    state.phase === 'typing' ? { ...state, phase: 'typed', typedAt } : null,
  MessageSubmitted: (state, event) => (isUnsubmitted(state) ? submitted(state, event) : null),
  MessageAnswered: (state, event) => (state.phase === 'submitted' ? turnOver(state, event) : null),
  MessageUnanswered: (state, event) => (state.phase === 'submitted' ? turnOver(state, event) : null),
  MessageRefused: (state, { reason }) =>
    state.phase === 'queued' || state.phase === 'typing'
      ? { ...identityOf(state), phase: 'refused', reason }
      : null,
  MessageUnknown: (state, { reason }) => ({
    ...identityOf(state),
    phase: 'unknown',
    reason,
    ...timesOf(state),
  }),
};

const isUnsubmitted = (state: OpenMessage): state is TypingMessage | TypedMessage =>
  state.phase === 'typing' || state.phase === 'typed';

/** Whether a message has come this far, or can come no further. */
export const hasReached = (state: MessageState, wait: MessageWait): boolean => {
  if (!isOpen(state)) return true;
  if (wait === 'typed') return state.phase === 'typed' || state.phase === 'submitted';
  return wait === 'submitted' && state.phase === 'submitted';
};

/** The receipt that programs read. */
export const receiptOf = (state: MessageState): Receipt => ({
  id: state.id,
  sessionId: state.sessionId,
  status: statusOf(state),
  reason: 'reason' in state ? state.reason : null,
  outcome: outcomeOf(state),
  answer: 'answer' in state ? state.answer : null,
  usage: 'usage' in state ? state.usage : null,
  queuedAt: state.queuedAt,
  typedAt: ('typedAt' in state ? state.typedAt : null) ?? null,
  submittedAt: ('submittedAt' in state ? state.submittedAt : null) ?? null,
  answeredAt: 'answeredAt' in state ? state.answeredAt : null,
});

const statusOf = ({ phase }: MessageState): Receipt['status'] => {
  if (phase === 'typing') return 'queued';
  return phase === 'unanswered' || phase === 'ran' ? 'submitted' : phase;
};

const outcomeOf = (state: MessageState): Receipt['outcome'] => {
  if (state.phase === 'unanswered') return state.outcome;
  return state.phase === 'answered' ? 'stopped' : null;
};

const queuedMessage = (event: EventOf<'MessageQueued'>): QueuedMessage => {
  const { message: id, at: queuedAt, text } = event;
  return { ...identityOf({ ...event, id, queuedAt }), phase: 'queued', text };
};

const requeuedMessage = (state: TypingMessage | TypedMessage): QueuedMessage => ({
  ...identityOf(state),
  phase: 'queued',
  text: state.text,
});

const submitted = (
  state: TypingMessage | TypedMessage,
  { submittedAt, prompt }: EventOf<'MessageSubmitted'>,
): MessageState => {
  const typedAt = state.phase === 'typed' ? state.typedAt : submittedAt;
  const start = prompt === undefined ? { seq: state.typingSeq, at: submittedAt } : { seq: prompt, at: null };
  if (state.as === 'command') return { ...identityOf(state), phase: 'ran', typedAt, submittedAt, start };
  return { ...state, phase: 'submitted', typedAt, submittedAt, start };
};

/** Where the turn of a submitted message began; null before that. */
export const startOf = (state: MessageState): TurnStart | null => {
  if (!('submittedAt' in state) || state.submittedAt === undefined) return null;
  const start = 'start' in state ? state.start : undefined;
  return start ?? { seq: 'typingSeq' in state ? state.typingSeq : 0, at: state.submittedAt };
};

const turnOver = (
  state: SubmittedMessage,
  event: EventOf<'MessageAnswered' | 'MessageUnanswered'>,
): FinishedMessage => {
  const { typedAt, submittedAt } = state;
  const start = state.start && { start: state.start };
  const taken = { typedAt, submittedAt, ...start };
  const over = { ...identityOf(state), ...taken, answeredAt: event.at, answer: event.answer };
  return event.name === 'MessageAnswered'
    ? { ...over, phase: 'answered', usage: event.usage }
    : { ...over, phase: 'unanswered', outcome: event.outcome };
};

const timesOf = (state: OpenMessage): { typedAt?: number; submittedAt?: number } => {
  if (state.phase === 'submitted') return { typedAt: state.typedAt, submittedAt: state.submittedAt };
  return state.phase === 'typed' ? { typedAt: state.typedAt } : {};
};

/** The fields that a message has in every phase. */
export const identityOf = ({
  id,
  sessionId,
  as,
  force,
  key,
  digest,
  queuedAt,
  byHand,
}: Identity): Identity => ({
  id,
  sessionId,
  as,
  force,
  key,
  digest,
  queuedAt,
  ...(byHand && { byHand }),
});
