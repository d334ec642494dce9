import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answerIn, usageOf } from './turn-usage.ts';

const answerLine = (second: number, text: string, tokens: number, more: object = {}) => ({
  type: 'assistant',
  timestamp: new Date(second * 1_000).toISOString(),
  message: { content: [{ type: 'text', text }], usage: { input_tokens: tokens } },
  ...more,
});

const transcript = (...lines: object[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dv-usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 't.jsonl');
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  return file;
};

const span = { from: 10_000, to: 20_000, answer: 'done' };

test('the usage is that of the answer that ended the turn', () => {
  const file = transcript(
    answerLine(5, 'done', 1),
    answerLine(11, 'first I look', 2),
    answerLine(12, 'done', 3),
    answerLine(13, 'of the turn that followed at once', 5),
    answerLine(21, 'done', 4),
  );
  expect(usageOf(file, span)).toEqual({ usage: { input_tokens: 3 }, last: true });
});

test('earlier messages and subagents are not the answer', () => {
  const file = transcript(
    answerLine(11, 'first I look', 2),
    answerLine(12, 'done', 9, { isSidechain: true }),
  );
  expect(usageOf(file, span)).toEqual({ usage: { input_tokens: 2 }, last: false });
});

test('a turn that the transcript does not have yet has no usage, not that of the turn before', () => {
  expect(usageOf(transcript(answerLine(5, 'done', 1)), span)).toBeNull();
  expect(usageOf('/nowhere/at/all.jsonl', span)).toBeNull();
  expect(usageOf(null, span)).toBeNull();
});

const at = (second: number) => ({ timestamp: new Date(second * 1_000).toISOString() });
const prompt = (second: number, text: string) => ({
  type: 'user',
  ...at(second),
  message: { content: text },
});
const result = (second: number) => ({
  type: 'user',
  ...at(second),
  message: { content: [{ type: 'tool_result', content: 'x' }] },
});
const calls = (second: number) => ({
  type: 'assistant',
  ...at(second),
  message: { id: 'm1', content: [{ type: 'tool_use', name: 'Bash' }] },
});

test('the answer is the whole last message of its own turn', () => {
  const long = 'x'.repeat(20_000);
  const block = (second: number, text: string) =>
    answerLine(second, '', 1, { message: { id: 'm2', content: [{ type: 'text', text }] } });
  const file = transcript(
    answerLine(5, 'of the turn before', 1),
    prompt(10, 'SAY it'),
    answerLine(11, 'first I look', 2),
    calls(11),
    result(12),
    block(13, long),
    block(13, 'and more'),
    answerLine(14, 'of a subagent', 2, { isSidechain: true }),
    prompt(15, 'the next one'),
    answerLine(21, 'of the turn after', 1),
  );
  expect(answerIn(file, span)).toBe(`${long}\nand more`);
});

test('text before a tool call is not the answer', () => {
  const lines = [prompt(10, 'RUN it'), answerLine(11, 'first I look', 2), calls(11)];
  expect(answerIn(transcript(...lines), span)).toBeNull();
  expect(answerIn(transcript(...lines, result(12)), span)).toBeNull();
  expect(answerIn(transcript(prompt(10, 'RUN it')), span)).toBeNull();
  expect(answerIn(null, span)).toBeNull();
});
