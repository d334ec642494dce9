/** Transcript lines, in the forms that both versions write. */
import { describe, expect, test } from 'vitest';
import { contextTail, type TranscriptLine, transcriptLines, turnTail } from './transcript.ts';

const at = (second: number) => new Date(1_000_000 + second * 1000).toISOString();
const ms = (second: number) => 1_000_000 + second * 1000;
const user = (second: number, content: unknown, rest = {}): TranscriptLine => ({
  type: 'user',
  timestamp: at(second),
  message: { role: 'user', content },
  ...rest,
});
const says = (second: number, content: unknown, rest = {}): TranscriptLine => ({
  type: 'assistant',
  timestamp: at(second),
  message: { id: `m${second}`, role: 'assistant', model: 'claude-opus-4-8', content },
  ...rest,
});
const text = (content: string) => [{ type: 'text', text: content }];
const call = [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }];
const result = [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }];

describe('how a turn ended', () => {
  test('answered', () => {
    expect(turnTail([user(1, 'hi'), says(2, text('hello'))])).toEqual({
      kind: 'Answered',
      at: ms(2),
      text: 'hello',
    });
  });

  test.each(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])('%s', line => {
    const lines = [user(1, 'hi'), says(2, text('hel')), user(3, text(line))];
    expect(turnTail(lines)).toEqual({ kind: 'Interrupted', at: ms(3), text: null });
  });

  test('an API error', () => {
    const lines = [user(1, 'hi'), says(2, text('API Error: 400'), { isApiErrorMessage: true })];
    expect(turnTail(lines)).toMatchObject({ kind: 'Failed', text: 'API Error: 400' });
  });

  test('a prompt, a call or a result without anything after it is unanswered', () => {
    const before = [user(1, 'hi'), says(2, text('I will look'))];
    expect(turnTail([...before, user(3, 'and then?')])).toMatchObject({ kind: 'Unanswered', at: ms(3) });
    expect(turnTail([...before, says(3, call)])).toMatchObject({ kind: 'Unanswered', at: ms(3) });
    expect(turnTail([...before, says(3, call), user(4, result)])).toMatchObject({
      kind: 'Unanswered',
      at: ms(4),
    });
  });

  test('meta lines, subagents, commands, summaries and lines of other types are skipped', () => {
    const lines: TranscriptLine[] = [
      user(1, 'hi'),
      says(2, text('hello')),
      user(3, 'a caveat', { isMeta: true }),
      user(3, 'for the agent', { isSidechain: true }),
      says(3, text('from the agent'), { isSidechain: true }),
      user(3, 'the summary', { isCompactSummary: true }),
      user(3, '<command-name>/model</command-name>'),
      user(3, '<local-command-stdout>set</local-command-stdout>'),
      { type: 'system', subtype: 'turn_duration', timestamp: at(4) },
      { type: 'file-history-snapshot' },
      says(4, [{ type: 'thinking', thinking: '' }]),
    ];
    expect(turnTail(lines)).toMatchObject({ kind: 'Answered', text: 'hello' });
  });

  test('there is no turn before the first prompt', () => {
    expect(turnTail([])).toBeNull();
    expect(turnTail([{ type: 'mode' }, { type: 'user', message: { content: 'no time' } }])).toBeNull();
  });
});

describe('lines', () => {
  test('half a line at either end and lines that are not JSON are skipped', () => {
    const piece = '"half"}\n{"type":"user"}\nnot json\n3\n{"type":"assis';
    expect(transcriptLines(piece, false)).toEqual([{ type: 'user' }]);
    expect(transcriptLines('{"type":"mode"}\n', true)).toEqual([{ type: 'mode' }]);
    expect(transcriptLines('', true)).toEqual([]);
  });
});

describe('context', () => {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3_000 };
  const used = (second: number, tokens: object, model = 'claude-opus-4-8', rest = {}): TranscriptLine => ({
    ...says(second, text('x')),
    message: { id: 'm', model, content: text('x'), usage: tokens },
    ...rest,
  });

  test('the last message of the main thread counts, once', () => {
    const lines = [
      used(1, { input_tokens: 1 }),
      used(2, usage),
      used(2, usage),
      used(3, { input_tokens: 9 }, 'claude-opus-4-8', { isSidechain: true }),
      used(4, { input_tokens: 0 }, '<synthetic>'),
    ];
    expect(contextTail(lines)).toEqual({ tokens: 3_210, model: 'claude-opus-4-8' });
  });

  test('null before the first answer and after a compaction', () => {
    expect(contextTail([user(1, 'hi')])).toBeNull();
    expect(contextTail([used(1, usage), { type: 'system', subtype: 'compact_boundary' }])).toBeNull();
    expect(contextTail([used(1, usage), user(2, 'summary', { isCompactSummary: true })])).toBeNull();
  });
});
