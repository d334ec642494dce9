/** Message events in any order, with any fields. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Receipt } from '../../contract/hub.ts';
import { hasReached, isFinished, type MessageState, receiptOf, reduceMessage } from './message.ts';
import { type MessageEvent, type MessageEventName, messageEventOf } from './message-event.ts';

const text = fc.oneof(fc.string(), fc.constant(null));
const fields: Record<MessageEventName, fc.Arbitrary<object>> = {
  MessageQueued: fc.record({
    text: fc.string(),
    as: fc.constantFrom('text', 'command'),
    force: fc.boolean(),
    key: text,
    digest: fc.string(),
  }),
  MessageMoved: fc.constant({}),
  MessageTyping: fc.record({ after: fc.nat(), carried: fc.boolean() }),
  MessageUnseen: fc.constant({}),
  MessageRequeued: fc.constant({}),
  MessageTyped: fc.constant({}),
  MessageSubmitted: fc.record({ submittedAt: fc.nat() }),
  MessageAnswered: fc.record({ answer: text, usage: fc.constantFrom(null, { output_tokens: 1 }) }),
  MessageUnanswered: fc.record({ outcome: fc.constantFrom('failed', 'interrupted', 'ended'), answer: text }),
  MessageRefused: fc.record({ reason: text }),
  MessageUnknown: fc.record({ reason: text }),
};
const names = Object.keys(fields) as MessageEventName[];

const event: fc.Arbitrary<MessageEvent> = fc.constantFrom(...names).chain(name =>
  fc
    .record({ at: fc.nat(), sessionId: fc.constantFrom('a', 'b'), rest: fields[name] })
    .map(({ at, sessionId, rest }) => {
      const parsed = messageEventOf(
        { name, sessionId, at },
        { message: 'm', session_id: sessionId, ...rest },
      );
      if (!parsed) throw new Error(`${name} was not read`);
      return parsed;
    }),
);

const steps = (events: MessageEvent[]): MessageState[] => {
  let state: MessageState | null = null;
  return events.flatMap(one => {
    state = reduceMessage(state, one) ?? state;
    return state ? [state] : [];
  });
};

test('any order of events gives a valid receipt, and a finished message does not change', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      const states = steps(events);
      for (const [at, state] of states.entries()) {
        expect(Receipt.safeParse(receiptOf(state)).success).toBe(true);
        if (isFinished(state)) expect(states.slice(at).every(later => later === state)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a wait that a message has reached stays reached, unless the message was typed in vain', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      const states = steps(events.filter(({ name }) => name !== 'MessageRequeued'));
      for (const wait of ['typed', 'submitted', 'answered'] as const) {
        const reached = states.map(state => hasReached(state, wait));
        const first = reached.indexOf(true);
        if (first >= 0) expect(reached.slice(first)).not.toContain(false);
      }
    }),
    { numRuns: 500 },
  );
});

test('a payload of any shape is read without an exception', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.oneof(fc.object(), fc.constant(null)), (name, payload) => {
      const parsed = messageEventOf({ name, sessionId: 'a', at: 1 }, payload);
      expect(() => parsed && reduceMessage(null, parsed)).not.toThrow();
    }),
  );
});
