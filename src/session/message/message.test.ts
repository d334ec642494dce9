/** The phases of a message, and the receipt that each shows. */
import { expect, test } from 'vitest';
import { messageOf } from './earlier-message.ts';
import { type MessageState, receiptOf, reduceMessage } from './message.ts';
import type { MessageEvent, MessageEventName, MessageFields } from './message-event.ts';

let now = 0;
const eventOf = <Name extends MessageEventName>(name: Name, fields: MessageFields[Name]): MessageEvent =>
  ({ name, message: 'm', sessionId: 's', at: ++now, ...fields }) as unknown as MessageEvent;

const queued = (as: 'text' | 'command' = 'text') =>
  eventOf('MessageQueued', { text: 'SAY it', as, force: false, key: null, digest: 'd' });
const typing = eventOf('MessageTyping', { after: 7, carried: false });
const typed = eventOf('MessageTyped', {});
const submitted = eventOf('MessageSubmitted', { submittedAt: 50 });

const after = (...events: MessageEvent[]): MessageState =>
  events.reduce<MessageState | null>((state, event) => {
    const next = reduceMessage(state, event);
    if (!next) throw new Error(`${event.name} does not apply`);
    return next;
  }, null) as MessageState;

test.each<[string, MessageEvent[], object]>([
  ['queued', [queued()], { status: 'queued', typedAt: null }],
  ['typing', [queued(), typing], { status: 'queued', typedAt: null }],
  ['typed', [queued(), typing, typed], { status: 'typed', typedAt: typed.at, submittedAt: null }],
  [
    'submitted',
    [queued(), typing, typed, submitted],
    { status: 'submitted', submittedAt: 50, outcome: null },
  ],
  [
    'answered',
    [queued(), typing, typed, submitted, eventOf('MessageAnswered', { answer: 'it', usage: null })],
    { status: 'answered', outcome: 'stopped', answer: 'it' },
  ],
  [
    'unanswered',
    [
      queued(),
      typing,
      typed,
      submitted,
      eventOf('MessageUnanswered', { outcome: 'interrupted', answer: null }),
    ],
    { status: 'submitted', outcome: 'interrupted', answer: null },
  ],
  ['ran', [queued('command'), typing, typed, submitted], { status: 'submitted', outcome: null }],
  ['refused', [queued(), eventOf('MessageRefused', { reason: 'why' })], { status: 'refused', reason: 'why' }],
  [
    'unknown',
    [queued(), typing, typed, eventOf('MessageUnknown', { reason: 'why' })],
    { status: 'unknown', reason: 'why', typedAt: typed.at, submittedAt: null },
  ],
])('a message that is %s has this receipt', (phase, events, receipt) => {
  const state = after(...events);
  expect(state.phase).toBe(phase);
  expect(receiptOf(state)).toMatchObject({ id: 'm', sessionId: 's', ...receipt });
});

test('a message that was typed in vain is queued again, without a trace of the first attempt', () => {
  const state = after(queued(), typing, eventOf('MessageUnseen', {}), eventOf('MessageRequeued', {}));
  expect(state).toMatchObject({ phase: 'queued', text: 'SAY it' });
  expect(state).not.toHaveProperty('typingSeq');
});

test('only a queued message moves to the conversation that follows', () => {
  const moved = { ...eventOf('MessageMoved', {}), sessionId: 'next' };
  expect(reduceMessage(after(queued()), moved)).toMatchObject({ sessionId: 'next' });
  expect(reduceMessage(after(queued(), typing), moved)).toBeNull();
});

test('a message that was submitted is not submitted again, and a typed one is not refused', () => {
  expect(reduceMessage(after(queued(), typing, typed, submitted), submitted)).toBeNull();
  expect(
    reduceMessage(after(queued(), typing, typed), eventOf('MessageRefused', { reason: null })),
  ).toBeNull();
});

const earlier = {
  id: 'm',
  sessionId: 's',
  status: 'queued' as const,
  reason: null,
  outcome: null,
  answer: null,
  usage: null,
  queuedAt: 1,
  typedAt: null,
  submittedAt: null,
  answeredAt: null,
  text: 'SAY it' as string | null,
  as: 'text' as const,
  force: false,
  key: 'k',
  digest: 'd',
  typingSeq: null,
  carried: false,
};

test.each<[string, object]>([
  ['queued', {}],
  ['typing', { typingSeq: 7 }],
  ['typed', { typingSeq: 7, status: 'typed', typedAt: 2 }],
  ['submitted', { typingSeq: 7, status: 'submitted', typedAt: 2, submittedAt: 3 }],
  [
    'answered',
    {
      status: 'answered',
      text: null,
      outcome: 'stopped',
      answer: 'it',
      typedAt: 2,
      submittedAt: 3,
      answeredAt: 4,
    },
  ],
  [
    'unanswered',
    {
      status: 'submitted',
      text: null,
      outcome: 'failed',
      answer: 'why',
      typedAt: 2,
      submittedAt: 3,
      answeredAt: 4,
    },
  ],
  ['ran', { status: 'submitted', as: 'command', text: null, typedAt: 2, submittedAt: 3 }],
  ['refused', { status: 'refused', text: null, reason: 'why' }],
  ['unknown', { status: 'unknown', text: null, reason: 'why', typedAt: 2 }],
])('a row of an earlier build is read as %s, with the same receipt', (phase, fields) => {
  const row = { ...earlier, ...fields };
  const state = messageOf(row);
  expect(state.phase).toBe(phase);
  const { text, as, force, key, digest, typingSeq, carried, ...receipt } = row;
  expect(receiptOf(state)).toEqual(receipt);
  expect(state).toMatchObject({ as, force, key, digest });
  if (text !== null) expect(state).toMatchObject({ text });
  if (typingSeq !== null) expect(state).toMatchObject({ typingSeq, carried });
});
