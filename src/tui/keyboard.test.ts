import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { Keyboard } from './keyboard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pause = () => vi.advanceTimersByTime(limits.keyboard.burstGap);

/** A keyboard and its output: keys, <text>, and ! for ignored input. */
const keyboardOf = (isTyping: (seen: string[]) => boolean = () => false) => {
  const seen: string[] = [];
  const keyboard = new Keyboard({
    isTyping: () => isTyping(seen),
    onKey: key => seen.push(key),
    onText: text => seen.push(`<${text}>`),
    onIgnored: () => seen.push('!'),
    onMouse: ({ act }) => seen.push(act),
  });
  const send = (...chunks: string[]) => {
    for (const chunk of chunks) keyboard.read(chunk);
    pause();
    return seen;
  };
  return { seen, send, keyboard };
};

describe('outside text fields', () => {
  test('the mouse is no key: it neither acts nor makes a burst', () => {
    const { send, seen } = keyboardOf();
    send('\x1b[<65;1;1M\x1b[<65;1;1M', 's');
    expect(seen).toEqual(['wheel-down', 'wheel-down', 's']);
  });

  test('keys that are pressed one by one act', () => {
    const { send, seen } = keyboardOf();
    for (const key of ['s', 'a', '\r', '\t', 'q']) send(key);
    expect(seen).toEqual(['s', 'a', 'enter', 'tab', 'q']);
  });

  test.each([
    ['a\r'],
    ['d'.repeat(3)],
    ['jjd'],
    ['dj'],
    ['\r\r'],
    ['\x1b[200~a\r\x1b[201~'],
    ['\x1b[200~a\x1b[201~\r'],
    ['\x1b[200~jjj\x1b[201~'],
  ])('%j at once does nothing, nor in pieces', text => {
    expect(keyboardOf().send(text)).toEqual(['!']);
    const pieces = keyboardOf().send(...Array.from(text));
    expect(pieces.filter(key => !/^(?:[j!]|escape)$/.test(key))).toEqual([]);
  });

  test('keys right after a burst belong to it', () => {
    const { send, keyboard, seen } = keyboardOf();
    keyboard.read('npm publish');
    keyboard.read('\r');
    vi.advanceTimersByTime(limits.keyboard.burstGap - 1);
    keyboard.read('a');
    pause();
    expect(seen).toEqual(['!']);
    expect(send('s')).toEqual(['!', 's']);
  });

  test('a key held down moves and Ctrl-C quits, also in a burst', () => {
    expect(keyboardOf().send('jjj\x1b[B\x1b[BGgg')).toEqual(['j', 'j', 'j', 'down', 'down', 'G', 'g', 'g']);
    expect(keyboardOf().send('\x03\x03')).toEqual(['ctrl-c', 'ctrl-c']);
  });

  test('keys typed ahead into the filter are text', () => {
    const { send } = keyboardOf(seen => seen.includes('/'));
    expect(send('/blog\r')).toEqual(['/', 'b', 'l', 'o', 'g', '< >']);
    // Where no field opens, nothing happens.
    expect(keyboardOf().send('/d\r')).toEqual(['/', '!']);
  });

  test('a single Esc is a key, and an arrow in two chunks is an arrow', () => {
    const { seen, keyboard } = keyboardOf();
    keyboard.read('\x1b');
    vi.advanceTimersByTime(limits.keyboard.escapeGap);
    keyboard.read('\x1b');
    keyboard.read('[A');
    vi.advanceTimersByTime(limits.keyboard.escapeGap);
    expect(seen).toEqual(['escape', 'up']);
  });

  test('a paste without an end ends after a timeout', () => {
    const { seen, send, keyboard } = keyboardOf();
    keyboard.read('\x1b[200~a\r');
    vi.advanceTimersByTime(limits.keyboard.pasteTimeout);
    expect(seen).toEqual(['!']);
    pause();
    expect(send('s')).toEqual(['!', 's']);
  });
});

describe('in a text field', () => {
  const field = () => keyboardOf(() => true);

  test('everything is text, and no pasted line break submits', () => {
    expect(field().send('\x1b[200~no,\r\nnot\ton main\n\x1b[201~')).toEqual(['<no, not on main >']);
    expect(field().send('no\r')).toEqual(['n', 'o', '< >']);
    expect(field().send('n', 'o', '\r')).toEqual(['n', 'o', '< >']);
    expect(field().send('\r', 'n')).toEqual(['< >', 'n']);
  });

  test('an Enter by itself submits', () => {
    const { send } = field();
    send('n');
    expect(send('\r')).toEqual(['n', 'enter']);
  });

  test('keys right after the field closes are not commands', () => {
    const { send } = keyboardOf(seen => !seen.includes('ctrl-c'));
    expect(send('x\x03d\r')).toEqual(['x', 'ctrl-c', '!']);
  });
});
