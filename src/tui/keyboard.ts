/**
 * Tells single key presses from bursts. A paste, a script or a terminal that catches up sends several keys within
 * milliseconds. In a text field a burst is text; elsewhere it is dropped, except for keys that cannot act on a session.
 */
import { limits } from '../limits.ts';
import { type Input, InputParser, type Mouse } from './input-parser.ts';

export interface KeyboardDeps {
  /** A text field is open. */
  isTyping: () => boolean;
  onKey: (key: string) => void;
  /** Text for the field, on one line. */
  onText: (text: string) => void;
  /** Input was dropped. */
  onIgnored: () => void;
  onMouse: (mouse: Mouse) => void;
}

/** Keys that move, cancel or open the filter. Held down they come in bursts, and none acts on a session. */
const harmless = /^(?:[jkgGJK[\]/?1-9]|up|down|home|end|page(?:up|down)|escape|ctrl-[cdu])$/;

export class Keyboard {
  private parser = new InputParser();
  private lastInput = Number.NEGATIVE_INFINITY;
  /** A key that acts, delayed until it is known not to be part of a burst. */
  private delayed: { input: Input; timer: NodeJS.Timeout } | null = null;
  private isIgnoring = false;
  private incomplete: NodeJS.Timeout | undefined;

  constructor(private readonly deps: KeyboardDeps) {}

  /** Reads the terminal until `stop`. */
  start(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): void {
    this.parser = new InputParser();
    stdin.setEncoding('utf8');
    stdin.setRawMode?.(true);
    stdin.on('data', this.read);
    stdin.resume();
    stdout.write('\x1b[?2004h\x1b[?1000h\x1b[?1006h');
  }

  stop(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): void {
    stdout.write('\x1b[?1006l\x1b[?1000l\x1b[?2004l');
    stdin.off('data', this.read);
    stdin.pause();
    stdin.setRawMode?.(false);
    clearTimeout(this.incomplete);
    if (this.delayed) clearTimeout(this.delayed.timer);
    this.delayed = null;
  }

  readonly read = (chunk: string | Buffer): void => {
    clearTimeout(this.incomplete);
    this.take(this.parser.push(String(chunk)));
    const { awaits } = this.parser;
    if (awaits === null) return;
    const timeout = awaits === 'paste' ? limits.keyboard.pasteTimeout : limits.keyboard.escapeGap;
    this.incomplete = setTimeout(() => this.take(this.parser.flush()), timeout);
  };

  private take(all: Input[]): void {
    for (const input of all) if (input.kind === 'mouse') this.deps.onMouse(input);
    const inputs: Input[] = all.filter(input => input.kind !== 'mouse');
    if (inputs.length === 0) return;
    const now = performance.now();
    const isRun = now - this.lastInput < limits.keyboard.burstGap;
    this.lastInput = now;
    if (this.delayed) {
      clearTimeout(this.delayed.timer);
      inputs.unshift(this.delayed.input);
      this.delayed = null;
    }
    if (this.deps.isTyping()) this.type(inputs, isRun);
    else this.command(inputs, isRun);
  }

  /** Inserts a burst into the text field; only a single Enter submits. */
  private type(inputs: Input[], isRun: boolean): void {
    for (const input of inputs) {
      // The field has closed: the rest was not meant as a command.
      if (!this.deps.isTyping()) return this.ignore();
      if (input.kind === 'mouse') continue;
      if (input.kind === 'paste') this.deps.onText(oneLine(input.text));
      else if (input.key !== 'enter') this.deps.onKey(input.key);
      else if (inputs.length === 1 && !isRun) this.delay(input);
      else this.deps.onText(' ');
    }
  }

  private command(inputs: Input[], isRun: boolean): void {
    if (this.isIgnoring && isRun) return;
    this.isIgnoring = false;
    const [first] = inputs;
    if (inputs.every(input => input.kind === 'key' && harmless.test(input.key)))
      for (const input of inputs) this.pass(input);
    else if (first?.kind === 'key' && first.key === '/') {
      // Typing ahead into the filter does no harm.
      this.pass(first);
      this.type(inputs.slice(1), true);
    } else if (first?.kind === 'key' && inputs.length === 1 && !isRun) this.delay(first);
    else this.ignore();
  }

  private delay(input: Input): void {
    const timer = setTimeout(() => {
      this.delayed = null;
      this.pass(input);
    }, limits.keyboard.burstGap);
    this.delayed = { input, timer };
  }

  private pass(input: Input): void {
    if (input.kind === 'key') this.deps.onKey(input.key);
  }

  private ignore(): void {
    this.isIgnoring = true;
    this.deps.onIgnored();
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\x00-\x1f\x7f-\x9f]/g, '');
