import { describe, expect, test } from 'vitest';
import { InputParser } from './input-parser.ts';

/** The items of these chunks; a paste is in angle brackets. */
const parse = (...chunks: string[]): string[] => {
  const parser = new InputParser();
  return [...chunks.flatMap(chunk => parser.push(chunk)), ...parser.flush()].map(input =>
    input.kind === 'key'
      ? input.key
      : input.kind === 'paste'
        ? `<${input.text}>`
        : `${input.act} ${input.x},${input.y}`,
  );
};

describe('keys', () => {
  test.each([
    [
      '\x1b[<0;12;5M\x1b[<0;12;5mj\x1b[<64;1;2M\x1b[<65;1;2M\x1b[<35;3;3M',
      ['click 12,5', 'j', 'wheel-up 1,2', 'wheel-down 1,2'],
    ],
    ['jk日G', ['j', 'k', '日', 'G']],
    [
      '\r\n\t\x7f\x08\x03\x04\x15',
      ['enter', 'enter', 'tab', 'backspace', 'backspace', 'ctrl-c', 'ctrl-d', 'ctrl-u'],
    ],
    [
      '\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b[Z',
      ['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'backtab'],
    ],
    ['\x1b[1;5A\x1b[6;2~\x1b\x1b[B', ['up', 'pagedown', 'down']],
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape']],
    // With Alt, unknown, and broken off: nothing that could act.
    ['\x1ba\x1b[15~\x1b[[A\x1b[?1;2c\x1b[<2;3;4M', []],
    ['\x1b日j', ['j']],
  ])('%j', (text, keys) => {
    expect(parse(text)).toEqual(keys);
    // However it is split.
    expect(parse(...Array.from(text))).toEqual(keys);
    for (let at = 1; at < text.length; at++) expect(parse(text.slice(0, at), text.slice(at))).toEqual(keys);
  });
});

describe('a paste', () => {
  test('is one text in any number of chunks, and contains no keys', () => {
    const text = '\x1b[200~a\r\x1b[A\x03 q\x1b[201~j';
    expect(parse(text)).toEqual(['<a\r\x1b[A\x03 q>', 'j']);
    for (let at = 1; at < text.length; at++)
      expect(parse(text.slice(0, at), text.slice(at))).toEqual(['<a\r\x1b[A\x03 q>', 'j']);
    expect(parse(...Array.from(text))).toEqual(['<a\r\x1b[A\x03 q>', 'j']);
  });

  test('without an end is still a paste', () => {
    expect(parse('\x1b[200~a\r', 'd')).toEqual(['<a\rd>']);
  });

  test('has a limited length', () => {
    const [input] = new InputParser().push(`\x1b[200~${'x'.repeat(1_000_000)}\x1b[201~`);
    expect(input).toMatchObject({ kind: 'paste', text: expect.stringMatching(/^x{16384}$/) });
  });
});
