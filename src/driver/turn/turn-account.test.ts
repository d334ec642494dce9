/** Sums up the lines of a transcript. */
import { expect, test } from 'vitest';
import { TurnAccount } from './turn-account.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const began = Date.parse(at(10));

const answerLine = (second: number, id: string, content: object[], more = {}) =>
  JSON.stringify({
    type: 'assistant',
    timestamp: at(second),
    version: '2.1.1',
    message: {
      id,
      model: 'claude-x',
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 100 },
    },
    ...more,
  });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
const user = (second: number, content: unknown) =>
  JSON.stringify({ type: 'user', timestamp: at(second), message: { role: 'user', content } });

const account = (...lines: string[]): TurnAccount => {
  const made = new TurnAccount(began);
  for (const line of lines) made.add(line);
  return made;
};

test('a message of several lines counts once, the last message is the answer', () => {
  const made = account(
    user(11, 'hi'),
    answerLine(12, 'm1', [{ type: 'thinking', thinking: 'hm' }]),
    answerLine(12, 'm1', [text('I look.')]),
    answerLine(12, 'm1', [call('t1', 'Bash')]),
    user(13, [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }]),
    answerLine(14, 'm2', [text('Two ')]),
    answerLine(14, 'm2', [text('blocks')]),
  );
  expect(made).toMatchObject({
    turns: 2,
    answer: 'Two blocks',
    tool: null,
    failed: null,
    version: '2.1.1',
  });
  expect(made.usage).toEqual({
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 200,
    input_tokens: 20,
    output_tokens: 4,
  });
});

test('a call without a result names its tool', () => {
  expect(account(answerLine(12, 'm1', [text('I ask.'), call('t1', 'Write')])).tool).toBe('Write');
});

test('subagents, meta lines, older lines and lines that are not JSON are skipped', () => {
  const made = account(
    answerLine(5, 'old', [text('before')]),
    answerLine(12, 's', [text('inner')], { isSidechain: true }),
    answerLine(12, 'm', [text('meta')], { isMeta: true }),
    answerLine(12, 'y', [text('made up')], {
      message: { id: 'y', model: '<synthetic>', content: [text('x')] },
    }),
    'not json',
    '3',
    '{"type":"brand-new"}',
  );
  expect([made.turns, made.answer]).toEqual([0, null]);
});

test('an API error is a failure until a message follows it', () => {
  const error = answerLine(12, 'e', [text('API Error: 529')], { isApiErrorMessage: true });
  expect(account(error)).toMatchObject({ failed: 'API Error: 529', turns: 0, answer: null });
  expect(account(error, answerLine(13, 'm', [text('ok')])).failed).toBeNull();
});

test('an interruption is recognised by its line', () => {
  expect(account(user(12, [text('[Request interrupted by user for tool use]')])).interrupted).toBe(true);
  expect(account(user(12, '[Request interrupted by user]'), user(13, 'go on')).interrupted).toBe(false);
});

test('without ids, lines with equal usage are one message', () => {
  const bare = { message: { content: [text('a')], usage: { input_tokens: 1 } } };
  expect(account(answerLine(12, '', [], bare), answerLine(12, '', [], bare)).turns).toBe(1);
});
