/** Retries writes until the store accepts them, keeping the newest of each name. */
import { limits } from '../limits.ts';

export class Retries {
  private readonly waiting = new Map<string, () => void>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly onError: (message: string, error: unknown) => void) {}

  /** Writes now, or as soon as the store works again. */
  write(name: string, work: () => void): void {
    try {
      work();
      this.waiting.delete(name);
    } catch (error) {
      this.onError(`${name} could not be stored yet`, error);
      this.waiting.set(name, work);
      this.timer ??= setTimeout(() => this.retry(), limits.store.retry).unref();
    }
  }

  /** Drops a write that still waits: something newer was stored. */
  cancel(name: string): void {
    this.waiting.delete(name);
  }

  private retry(): void {
    this.timer = null;
    for (const [name, work] of this.waiting) this.write(name, work);
  }
}
