/** Only text and our own colours reach a terminal, and no control sequences. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputTo } from './output.ts';

const outputOf = (isJson = false, isTTY = true) => {
  const written = { out: '', err: '' };
  const out = { write: (text: string) => (written.out += text), isTTY };
  const err = { write: (text: string) => (written.err += text) };
  return { written, ...outputTo({ out, err }, () => isJson) };
};

/** Control and direction characters, except line breaks and tabs. */
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\x1b[2J',
      '\x1b]0;x\x07',
      '\x9b31m',
      '\x1bP',
      '\r',
      '\b',
      '\u202e',
      '\u2066',
      '\x7f',
      '\n',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  ),
});

test('control characters in foreign text never reach a terminal', () => {
  fc.assert(
    fc.property(text, given => {
      const { written, out, err, payload } = outputOf();
      out(given);
      err(given);
      payload(given);
      expect(written.out).not.toMatch(obeyed);
      expect(written.err).not.toMatch(obeyed);
    }),
  );
});

test('colours inside foreign text are removed', () => {
  const { written, out } = outputOf();
  out('a \x1b[8mhidden\x1b[0m word', 33);
  expect(written.out).toBe('\x1b[33ma [8mhidden[0m word\x1b[0m\n');
});

test('JSON keeps its meaning and is plain text', () => {
  fc.assert(
    fc.property(text, fc.string(), (given, other) => {
      const { written, out } = outputOf(true);
      out(JSON.stringify({ [given]: [given, other] }));
      expect(written.out).not.toMatch(obeyed);
      expect(JSON.parse(written.out)).toEqual({ [given]: [given, other] });
    }),
  );
});

test('a program gets foreign text unchanged', () => {
  const { written, payload } = outputOf(false, false);
  payload('\x1b[1mbold\x1b[0m');
  expect(written.out).toBe('\x1b[1mbold\x1b[0m\n');
});
