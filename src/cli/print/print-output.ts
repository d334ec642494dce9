/** Writes the output of `drover print` in the chosen format. */
import { isatty } from 'node:tty';
import { clean, escaped, line } from '../../client/text.ts';
import type { PrintFailure } from '../../print/failure.ts';
import { Progress } from '../../print/progress.ts';
import type { Format } from '../../print/request.ts';
import { errorLine } from '../../print/result.ts';
import type { Reports } from '../../print/run.ts';
import { outputFailure } from './abort.ts';

export class PrintOutput implements Reports {
  private readonly progress = new Progress(
    text => void process.stderr.write(text),
    isatty(2),
    text => line(text, 60),
  );
  private wrote = Promise.resolve();
  /** Why standard output could not be written. */
  private unwritten: Error | null = null;

  constructor(
    private readonly format: Format,
    private readonly err: (text: string) => void,
  ) {}

  line = (line: string): void => {
    if (this.format === 'stream-json') this.put(`${line}\n`);
  };

  text = (answer: string): void => {
    if (this.format !== 'text') return;
    this.put(answer.endsWith('\n') ? answer : `${answer}\n`);
  };

  notice = (text: string): void => {
    this.progress.clear();
    this.err(text);
  };

  working: Reports['working'] = turn => this.progress.working(turn);

  /** Resolves with the exit code once everything is written. */
  async success(result: string): Promise<number> {
    if (this.format === 'json') this.put(`${result}\n`);
    await this.wrote;
    if (this.unwritten) throw outputFailure(this.unwritten);
    this.progress.clear();
    return 0;
  }

  async failure(failure: PrintFailure, cli: string | null, wholeScreen: boolean): Promise<number> {
    this.progress.clear();
    const { subtype, message, exit, screen } = failure;
    if (this.format === 'text' || subtype === 'no_input' || this.unwritten) this.err(`error: ${message}`);
    else this.put(`${errorLine(failure, cli)}\n`);
    if (wholeScreen && screen) this.err(screen);
    await this.wrote;
    return exit;
  }

  /** Removes control characters on a terminal; programs get the text unchanged. */
  private shown(text: string): string {
    if (!isatty(1)) return text;
    return this.format === 'text' ? clean(text) : escaped(text);
  }

  private put(text: string): void {
    this.progress.clear();
    this.wrote = new Promise(done =>
      process.stdout.write(this.shown(text), error => {
        this.unwritten ??= error ?? null;
        done();
      }),
    );
  }
}
