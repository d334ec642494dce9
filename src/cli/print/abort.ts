/** Aborts a run of `drover print` on a signal, a closed pipe or an uncaught error. */
import { failureOf, PrintFailure } from '../../print/failure.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Abort {
  private failure: PrintFailure | null = null;
  private readonly listeners: ((failure: PrintFailure) => void)[] = [];

  constructor() {
    for (const signal of signals) process.on(signal, this.interrupted);
    // Other commands ignore a closed pipe; here the answer would be lost.
    process.stdout.removeAllListeners('error').on('error', this.closed);
    process.on('uncaughtException', this.broken);
  }

  /** Calls back on an abort, immediately if it has already happened. */
  onAbort(listener: (failure: PrintFailure) => void): void {
    this.listeners.push(listener);
    if (this.failure) listener(this.failure);
  }

  /** Rejects on an abort. The work must not need any cleanup. */
  or<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, new Promise<never>((_, fail) => this.onAbort(fail))]);
  }

  /** Everything is written: a late signal only exits, and late errors are ignored. */
  close(): void {
    for (const signal of signals) process.off(signal, this.interrupted).on(signal, () => process.exit());
  }

  private readonly interrupted = (signal: NodeJS.Signals): void =>
    this.abort(new PrintFailure('interrupted', `interrupted by ${signal}`));

  private readonly closed = (error: Error): void => this.abort(outputFailure(error));

  private readonly broken = (error: unknown): void => this.abort(failureOf(error));

  private abort(failure: PrintFailure): void {
    this.failure ??= failure;
    for (const listener of this.listeners) listener(this.failure);
  }
}

/** Standard output failed: the reader has exited, or the disk is full. */
export const outputFailure = (error: Error): PrintFailure =>
  new PrintFailure('internal_error', `standard output cannot be written: ${error.message}`);
