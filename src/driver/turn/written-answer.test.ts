import { expect, test } from 'vitest';
import { TurnAccount } from './turn-account.ts';
import { parseHookPayload } from './hook-payload.ts';
import { isWritten, substituteLine } from './written-answer.ts';

const line = (id: string, content: object[], stop_reason: string) =>
  JSON.stringify({ type: 'assistant', message: { id, content, stop_reason, usage: {} } });
const text = (content: string) => ({ type: 'text', text: content });
const call = { type: 'tool_use', id: 't1', name: 'Bash' };
const stopWith = (last_assistant_message?: string) =>
  parseHookPayload(JSON.stringify({ last_assistant_message }));
const after = (...lines: string[]) => {
  const account = new TurnAccount(0);
  for (const each of lines) account.add(each);
  return account;
};

test('a turn is written when its last message is the answer of the Stop', () => {
  const early = line('m1', [text('let me look'), call], 'tool_use');
  expect(isWritten(after(), stopWith('done'))).toBe(false);
  expect(isWritten(after(early), stopWith('done'))).toBe(false);
  expect(isWritten(after(early, line('m2', [text('done\n')], 'end_turn')), stopWith('done'))).toBe(true);
});

test('a message in several parts is complete with its last part, however the Stop joins them', () => {
  const [first, second] = [line('m', [text('one')], 'end_turn'), line('m', [text('two')], 'end_turn')];
  expect(isWritten(after(first), stopWith('one\n\ntwo'))).toBe(false);
  for (const message of ['one\n\ntwo', 'onetwo', 'two'])
    expect(isWritten(after(first, second), stopWith(message))).toBe(true);
});

test('without an answer in the Stop, a message that calls no tool is the last', () => {
  expect(isWritten(after(), stopWith())).toBe(false);
  expect(isWritten(after(line('m', [call], 'tool_use')), stopWith())).toBe(false);
  expect(isWritten(after(line('m', [text('done')], 'end_turn')), stopWith())).toBe(true);
});

test('a substitute line counts as an answer for readers of the stream', () => {
  expect(after(substituteLine('done', 0, 'id', '2.1.325'))).toMatchObject({
    answer: 'done',
    stopReason: 'end_turn',
  });
});
