/**
 * Reads a stream from its beginning, or the last message of each subject, and then what is new. It starts over after each
 * reconnect, because the broker may have lost or replaced messages.
 */
import { limits } from '../limits.ts';
import type { Stored } from './bus.ts';

/** An open reader of a stream. */
export interface Reader {
  /** Messages that were stored when it was opened. */
  waiting: number;
  /** Each with the number of messages stored after it. */
  messages: AsyncIterable<{ message: Stored; left: number }>;
  stop: () => void;
}

export class StreamFollower {
  readonly caughtUp: Promise<void>;
  private resolve: () => void = () => {};
  /** As `caughtUp`, of the present run. */
  private current = deferred();
  private run = 0;
  private failures = 0;
  private isStopped = false;
  private close: (() => void) | null = null;

  constructor(
    /** Named when it cannot be read. */
    private readonly stream: string,
    private readonly open: () => Promise<Reader>,
    private readonly onMessage: (message: Stored) => void | Promise<void>,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.caughtUp = new Promise(resolve => {
      this.resolve = resolve;
    });
  }

  /** Resolves once everything is delivered that was stored when it started for the last time; also when it is stopped. */
  settled(): Promise<void> {
    return this.current.promise;
  }

  /** Starts reading, from the beginning again if it was reading. */
  start(): void {
    this.close?.();
    this.close = null;
    this.restart();
    const run = ++this.run;
    void this.read(run).catch(error => this.retry(run, error));
  }

  stop(): void {
    this.isStopped = true;
    this.current.resolve();
    this.close?.();
  }

  /** Whoever waits for the run before waits for the next one, by the same promise: there may be a run every second for days. */
  private restart(): void {
    if (this.current.isResolved()) this.current = deferred();
  }

  private isCaughtUp(): void {
    this.resolve();
    this.current.resolve();
  }

  private isOver(run: number): boolean {
    return this.isStopped || run !== this.run;
  }

  private retry(run: number, error: unknown): void {
    if (this.isOver(run)) return;
    this.restart();
    // A stream that was just created may not exist yet.
    if (this.failures++ === 2) this.onError(`${this.stream} cannot be read`, error);
    const { reconnect, maxReadRetry } = limits.fleet;
    const wait = Math.min(maxReadRetry, reconnect * 2 ** Math.min(this.failures, 6));
    setTimeout(() => {
      if (!this.isOver(run)) this.start();
    }, wait).unref();
  }

  private async read(run: number): Promise<void> {
    const reader = await this.open();
    if (this.isOver(run)) {
      reader.stop();
      return;
    }
    this.close = reader.stop;
    this.failures = 0;
    if (reader.waiting === 0) this.isCaughtUp();
    let read = 0;
    for await (const { message, left } of reader.messages) {
      if (this.isOver(run)) return;
      await this.onMessage({ ...message, isOld: read++ < reader.waiting });
      // Another run may have begun in the meantime, and has to read everything again.
      if (left === 0 && !this.isOver(run)) this.isCaughtUp();
    }
    if (!this.isOver(run)) throw new Error('The reader ended.');
  }
}

const deferred = () => {
  let isResolved = false;
  let resolve = (): void => {};
  const promise = new Promise<void>(done => {
    resolve = () => {
      isResolved = true;
      done();
    };
  });
  return { promise, resolve: () => resolve(), isResolved: () => isResolved };
};
