/** What ends a run of `drover print` from outside, from its first moment on: a signal, a reader that has gone, a bug. */
import { failureOf, PrintFailure } from '../../print/failure.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Halt {
  private failure: PrintFailure | null = null;
  private readonly told: ((failure: PrintFailure) => void)[] = [];

  constructor() {
    for (const signal of signals) process.on(signal, this.interrupted);
    // Elsewhere a reader that goes away is no error; here it is an answer that nobody gets.
    process.stdout.removeAllListeners('error').on('error', this.unheard);
    process.on('uncaughtException', this.broken);
  }

  /** Calls back when it happens, at once when it has happened. */
  tell(hear: (failure: PrintFailure) => void): void {
    this.told.push(hear);
    if (this.failure) hear(this.failure);
  }

  /** Fails as soon as it happens, else as the work does. What the work has begun by then must not need to be undone. */
  or<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, new Promise<never>((_, fail) => this.tell(fail))]);
  }

  /** All is said: a signal in the last moment ends us as we would end. What breaks while we leave changes nothing. */
  close(): void {
    for (const signal of signals) process.off(signal, this.interrupted).on(signal, () => process.exit());
  }

  private readonly interrupted = (signal: NodeJS.Signals): void =>
    this.halt(new PrintFailure('interrupted', `interrupted by ${signal}`));

  private readonly unheard = (error: Error): void => this.halt(unwritten(error));

  private readonly broken = (error: unknown): void => this.halt(failureOf(error));

  private halt(failure: PrintFailure): void {
    this.failure ??= failure;
    for (const hear of this.told) hear(this.failure);
  }
}

/** Standard output takes no more: whoever read it has gone, or the disk is full. */
export const unwritten = (error: Error): PrintFailure =>
  new PrintFailure('internal_error', `standard output takes no more: ${error.message}`);
