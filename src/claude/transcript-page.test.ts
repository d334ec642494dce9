import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { transcriptPage } from './transcript-page.ts';

const file = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dv-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 't.jsonl');
  writeFileSync(path, text);
  return path;
};

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const user = (text: string, more = {}) => line({ type: 'user', message: { content: text }, ...more });
const assistant = (...content: object[]) =>
  line({ type: 'assistant', timestamp: '2026-01-01T00:00:00.000Z', message: { content } });

test('returns text and tool names, not the internal lines of the CLI', () => {
  const path = file(
    line({ type: 'mode', mode: 'default' }) +
      user('run it') +
      assistant({ type: 'thinking', thinking: 'hm' }) +
      assistant({ type: 'text', text: 'I run it.' }, { type: 'tool_use', name: 'Bash', input: {} }) +
      line({ type: 'user', message: { content: [{ type: 'tool_result', content: 'out' }] } }) +
      user('meta', { isMeta: true }) +
      user('inside', { isSidechain: true }) +
      'no json\n' +
      assistant({ type: 'text', text: 'done' }),
  );
  expect(transcriptPage(path, 0, 100)).toEqual({
    messages: [
      { role: 'user', text: 'run it', tools: [], at: null },
      { role: 'assistant', text: 'I run it.', tools: ['Bash'], at: 1767225600000 },
      { role: 'assistant', text: 'done', tools: [], at: 1767225600000 },
    ],
    next: null,
    end: expect.any(Number),
  });
});

test('an answer that was written before its prompt stands behind it', () => {
  const prompt = user('run it', { timestamp: '2025-12-31T23:59:59.000Z' });
  const path = file(assistant({ type: 'text', text: 'done' }) + prompt + user('and this'));
  const texts = transcriptPage(path, 0, 100)?.messages.map(({ text }) => text);
  expect(texts).toEqual(['run it', 'and this', 'done']);
});

test('pages hold whole messages, each exactly once', () => {
  const texts = Array.from({ length: 25 }, (_, n) => `${n} ${'日本'.repeat(n * 3_000)}`);
  const path = file(texts.map(text => user(text)).join(''));
  const found: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = transcriptPage(path, after, 10);
    found.push(...(page?.messages.map(({ text }) => text) ?? []));
    after = page?.next ?? null;
  }
  expect(found).toEqual(texts);
});

test('a reader continues at the end later; half a line is left for then', () => {
  const half = user('third').slice(0, 10);
  const path = file(user('first') + user('second') + half);
  const page = transcriptPage(path, 0, 100);
  expect(page?.messages.map(({ text }) => text)).toEqual(['first', 'second']);
  writeFileSync(path, user('first') + user('second') + user('third'));
  expect(transcriptPage(path, page?.end ?? 0, 100)?.messages.map(({ text }) => text)).toEqual(['third']);
});

test('a missing file is not a transcript', () => {
  expect(transcriptPage('/nowhere/at/all', 0, 10)).toBeNull();
});
