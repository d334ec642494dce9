import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { usageOf } from './usage.ts';

const said = (second: number, text: string, tokens: number, more: object = {}) => ({
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

test('the tokens are those of the answer that ended the turn', () => {
  const file = transcript(
    said(5, 'done', 1),
    said(11, 'first I look', 2),
    said(12, 'done', 3),
    said(13, 'of the turn that followed at once', 5),
    said(21, 'done', 4),
  );
  expect(usageOf(file, span)).toEqual({ usage: { input_tokens: 3 }, last: true });
});

test('what was said before the answer is told apart from it, and so is a subagent', () => {
  const file = transcript(said(11, 'first I look', 2), said(12, 'done', 9, { isSidechain: true }));
  expect(usageOf(file, span)).toEqual({ usage: { input_tokens: 2 }, last: false });
});

test('a turn of which the transcript says nothing yet has no tokens, whatever the one before had', () => {
  expect(usageOf(transcript(said(5, 'done', 1)), span)).toBeNull();
  expect(usageOf('/nowhere/at/all.jsonl', span)).toBeNull();
  expect(usageOf(null, span)).toBeNull();
});
