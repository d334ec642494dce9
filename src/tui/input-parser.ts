/** Parses terminal input: keys by name, and pasted text as one item. */
import { limits } from '../limits.ts';

export type Input = { kind: 'key'; key: string } | { kind: 'paste'; text: string } | Mouse;

/** A click or a turn of the wheel, with its column and row from 1. */
export interface Mouse {
  kind: 'mouse';
  act: 'click' | 'wheel-up' | 'wheel-down';
  x: number;
  y: number;
}

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

/** Accepts chunks of any size: a sequence may be split anywhere. */
export class InputParser {
  private rest = '';
  /** The pasted text so far; null outside a paste. */
  private pasted: string | null = null;

  /** Adds a chunk and returns the complete items. */
  push(chunk: string): Input[] {
    this.rest += chunk;
    const found: Input[] = [];
    for (;;) {
      const next = this.pasted === null ? this.nextKey() : this.nextPaste();
      if (next === null) return found;
      if (next !== 'nothing') found.push(next);
    }
  }

  /** Ends incomplete input: a single Esc is the key, and a paste without an end is complete. */
  flush(): Input[] {
    const { rest, pasted } = this;
    this.rest = '';
    this.pasted = null;
    if (pasted !== null) return [{ kind: 'paste', text: pasted + rest }];
    return /^\x1b+$/.test(rest) ? [{ kind: 'key', key: 'escape' }] : [];
  }

  /** What is incomplete: a sequence, a paste, or nothing. */
  get awaits(): 'sequence' | 'paste' | null {
    if (this.pasted !== null) return 'paste';
    return this.rest === '' ? null : 'sequence';
  }

  private nextPaste(): Input | null {
    const end = this.rest.indexOf(pasteEnd);
    // The end mark may be split over two chunks.
    const length = end >= 0 ? end : Math.max(0, this.rest.length - pasteEnd.length + 1);
    const text = `${this.pasted}${this.rest.slice(0, length)}`.slice(0, limits.keyboard.pasteText);
    this.rest = this.rest.slice(end >= 0 ? end + pasteEnd.length : length);
    this.pasted = end >= 0 ? null : text;
    return end >= 0 ? { kind: 'paste', text } : null;
  }

  /** The next key; null if the rest is incomplete, `nothing` for a sequence without a key here. */
  private nextKey(): Input | 'nothing' | null {
    const { rest } = this;
    if (rest === '') return null;
    if (!rest.startsWith('\x1b')) {
      const [letter = ''] = rest;
      this.rest = rest.slice(letter.length);
      return keyInput(controlKeys[letter] ?? controlName(letter) ?? letter);
    }
    const sequence = sequenceAt(rest);
    if (sequence === null) return null;
    this.rest = rest.slice(sequence.length);
    if (sequence === pasteStart) this.pasted = '';
    if (sequence === '\x1b') return keyInput('escape');
    if (sequence.startsWith('\x1b[<')) return mouseIn(sequence);
    const key = sequenceKeys[sequence.replace(/^\x1b\x1b/, '\x1b').replace(/\d+;\d+(?=[A-Z~]$)/, onlyNumber)];
    return key === undefined ? 'nothing' : keyInput(key);
  }
}

/** A report of the mouse; `nothing` for a release, a drag or another button. */
const mouseIn = (sequence: string): Mouse | 'nothing' => {
  const [, button = '', x = '', y = ''] = /^\x1b\[<(\d+);(\d+);(\d+)M$/.exec(sequence) ?? [];
  const act = mouseActs[button];
  return act === undefined ? 'nothing' : { kind: 'mouse', act, x: Number(x), y: Number(y) };
};

const mouseActs: Record<string, Mouse['act'] | undefined> = { 0: 'click', 64: 'wheel-up', 65: 'wheel-down' };

const keyInput = (key: string): Input => ({ kind: 'key', key });

/** The escape sequence at the beginning of the text; a single Esc if another follows; null if it is incomplete. */
const sequenceAt = (text: string): string | null => {
  const whole = /^\x1b{1,2}(?:\[(?:\[[@-~]|[0-?]*[ -/]*[@-Z\\-~])|O[ -~])/.exec(text)?.[0];
  if (whole !== undefined) return whole;
  if (/^\x1b{1,2}(?:\[(?:\[|[0-?]*[ -/]*)|O)?$/.test(text)) return null;
  if (text.startsWith('\x1b\x1b')) return '\x1b';
  // Alt and a key, or a truncated sequence.
  return `\x1b${Array.from(text.slice(1, 3))[0] ?? ''}`;
};

/** A key with Shift, Alt or Ctrl is the same key here: `1;5A` is `A`, and `5;2~` is `5~`. */
const onlyNumber = (numbers: string): string => {
  const [first] = numbers.split(';');
  return first === '1' ? '' : (first ?? '');
};

const controlKeys: Record<string, string | undefined> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\x08': 'backspace',
};

const controlName = (letter: string): string | undefined =>
  letter >= '\x00' && letter <= '\x1a' ? `ctrl-${String.fromCharCode(letter.charCodeAt(0) + 96)}` : undefined;

const sequenceKeys: Record<string, string | undefined> = {
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1b[5~': 'pageup',
  '\x1b[6~': 'pagedown',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[7~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[8~': 'end',
  '\x1b[Z': 'backtab',
};
