import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { showsNothingElse, isBeginning, promptLine, showsText } from './prompt-line.ts';

const screen = (name: string) =>
  readFileSync(new URL(`../../../test/screens/${name}.txt`, import.meta.url), 'utf8');
const rule = '─'.repeat(40);
const line = (typed: string, above = '● Done.\n') =>
  promptLine(`${above}${rule}\n❯ ${typed}\n${rule}\n  ? for shortcuts\n`);

describe.each(['2.1.197', '2.1.325'])('Claude Code %s', version => {
  test('an idle prompt is empty, a dialog has none', () => {
    expect(promptLine(screen(`ready-${version}`))).toEqual({ draft: '' });
    for (const name of ['trust', 'theme', 'bypass', 'mcp', 'apikey'])
      expect([name, promptLine(screen(`${name}-${version}`))]).toEqual([name, null]);
  });
});

test('a draft may have several rows', () => {
  expect(line('fix the tests')).toEqual({ draft: 'fix the tests' });
  expect(line('one\n  two')).toEqual({ draft: 'one\n  two' });
  expect(line('\x1b[7mx\x1b[27m')).toEqual({ draft: 'x' });
  expect(line('\x1b[38;2;255;255;255mwhite\x1b[39m')).toEqual({ draft: 'white' });
});

test('a suggestion of the CLI is not a draft', () => {
  expect(line('\x1b[7mT\x1b[0;2mry "fix lint errors"\x1b[0m')).toEqual({ draft: '' });
  expect(line('\x1b[2mTry "fix lint errors"\x1b[22m')).toEqual({ draft: '' });
});

test('history, an empty screen and a shell are not a prompt line', () => {
  expect(promptLine('')).toBeNull();
  expect(promptLine('$ claude\n')).toBeNull();
  expect(promptLine('❯ said before\n● answer\n')).toBeNull();
});

test('pasted text is recognised by its end or by its placeholder', () => {
  const long = `${'word '.repeat(50)}the end`;
  expect(showsText({ draft: `word word\n  the end` }, 'word word the end ')).toBe(true);
  expect(showsText({ draft: '[Pasted text #1 +49 lines]' }, long)).toBe(true);
  expect(showsText({ draft: '[...Truncated text #1 +9 lines...]' }, long)).toBe(true);
  expect(showsText({ draft: 'something else' }, long)).toBe(false);
  expect(showsText({ draft: '' }, long)).toBe(false);
});

test('other text next to the pasted one is noticed, wherever it is', () => {
  const text = 'SAY hello there, world ';
  expect(showsNothingElse({ draft: 'SAY hello there,\n  world' }, text)).toBe(true);
  expect(showsNothingElse({ draft: 'there, world' }, text)).toBe(true);
  expect(showsNothingElse({ draft: 'wait, SAY hello there, world' }, text)).toBe(false);
  expect(showsNothingElse({ draft: 'SAY hello there, world x' }, text)).toBe(false);
  expect(showsNothingElse({ draft: '日本' }, ' 日 本 ')).toBe(true);
  const long = `begin ${'word '.repeat(500)}end`;
  expect(showsNothingElse({ draft: '[Pasted text #2 +49 lines]' }, long)).toBe(true);
  expect(showsNothingElse({ draft: 'begin word [...Truncated text #1 +9 lines...] word end' }, long)).toBe(
    true,
  );
  expect(showsNothingElse({ draft: 'mine [Pasted text #2 +49 lines]' }, long)).toBe(false);
});

test('the rest of a text after its end was erased is its beginning, also with a placeholder', () => {
  const text = 'one two\nthree four';
  expect([isBeginning({ draft: '' }, text), isBeginning({ draft: 'one two\nthr' }, text)]).toEqual([
    true,
    true,
  ]);
  expect(isBeginning({ draft: 'one [...Truncated text #1 +40 lines...]' }, text)).toBe(true);
  expect(isBeginning({ draft: 'my own words' }, text)).toBe(false);
  expect(isBeginning({ draft: 'one two three four and mine' }, text)).toBe(false);
});
