/** Waiting for a condition that a later event makes true. */
import { type Clock, schedule } from '../clock.ts';
import type { Commit } from './loop.ts';

export interface WaitOptions {
  /** Ms to wait at most. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

export class Waiters {
  private readonly open = new Set<(commit: Commit) => void>();

  constructor(private readonly clock: Clock) {}

  /**
   * Resolves with the first value of `read` that is not undefined. Calls `read` at once without a commit, then after each
   * commit. Resolves with undefined when the time is over or the signal aborts. Rejects with what `read` throws.
   */
  until<T>(
    read: (commit?: Commit) => T | undefined,
    { timeout, signal }: WaitOptions,
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const first = read();
      if (first !== undefined || signal?.aborted) {
        resolve(first);
        return;
      }
      const stop = () => {
        this.open.delete(check);
        cancel();
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        stop();
        resolve(undefined);
      };
      const check = (commit: Commit) => {
        try {
          const value = read(commit);
          if (value === undefined) return;
          stop();
          resolve(value);
        } catch (error) {
          stop();
          reject(error);
        }
      };
      this.open.add(check);
      const cancel = schedule(this.clock, timeout, giveUp);
      signal?.addEventListener('abort', giveUp);
    });
  }

  onCommit(commit: Commit): void {
    for (const check of this.open) check(commit);
  }
}
