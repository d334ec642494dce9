import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { Keyboard } from './keyboard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pause = () => vi.advanceTimersByTime(limits.keyboard.burstGap);

/** A keyboard, and what came of it: keys, <text>, and ! for what was ignored. */
const keyboardOf = (isTyping: (seen: string[]) => boolean = () => false) => {
  const seen: string[] = [];
  const keyboard = new Keyboard({
    isTyping: () => isTyping(seen),
    onKey: key => seen.push(key),
    onText: text => seen.push(`<${text}>`),
    onIgnored: () => seen.push('!'),
  });
  const send = (...chunks: string[]) => {
    for (const chunk of chunks) keyboard.read(chunk);
    pause();
    return seen;
  };
  return { seen, send, keyboard };
};

describe('outside text fields', () => {
  test('keys of a person act one by one', () => {
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

  test('what follows a burst at once belongs to it', () => {
    const { send, keyboard, seen } = keyboardOf();
    keyboard.read('npm publish');
    keyboard.read('\r');
    vi.advanceTimersByTime(limits.keyboard.burstGap - 1);
    keyboard.read('a');
    pause();
    expect(seen).toEqual(['!']);
    expect(send('s')).toEqual(['!', 's']);
  });

  test('a key held down moves, and Ctrl-C leaves, however many come at once', () => {
    expect(keyboardOf().send('jjj\x1b[B\x1b[BGgg')).toEqual(['j', 'j', 'j', 'down', 'down', 'G', 'g', 'g']);
    expect(keyboardOf().send('\x03\x03')).toEqual(['ctrl-c', 'ctrl-c']);
  });

  test('what is typed ahead into the filter is text', () => {
    const { send } = keyboardOf(seen => seen.includes('/'));
    expect(send('/blog\r')).toEqual(['/', 'b', 'l', 'o', 'g', '< >']);
    // Where no field opens, nothing happens.
    expect(keyboardOf().send('/d\r')).toEqual(['/', '!']);
  });

  test('a lone Esc is a key, an arrow in two pieces is an arrow', () => {
    const { seen, keyboard } = keyboardOf();
    keyboard.read('\x1b');
    vi.advanceTimersByTime(limits.keyboard.escapeGap);
    keyboard.read('\x1b');
    keyboard.read('[A');
    vi.advanceTimersByTime(limits.keyboard.escapeGap);
    expect(seen).toEqual(['escape', 'up']);
  });

  test('a paste whose end is lost is over after a while', () => {
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

  test('what follows the end of the field at once is no command', () => {
    const { send } = keyboardOf(seen => !seen.includes('ctrl-c'));
    expect(send('x\x03d\r')).toEqual(['x', 'ctrl-c', '!']);
  });
});
