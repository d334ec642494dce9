/** Starts the parts of the daemon in order, and closes them in reverse. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { isStoreFault } from '../store/sqlite-error.ts';
import type { Part } from './part.ts';

type OnError = (message: string, error: unknown) => void;

export class LifeCycle {
  private isClosing = false;
  private started: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: readonly Part[],
    private readonly onError: OnError,
  ) {}

  /** Prepares every part before the daemon listens. */
  async prepare(): Promise<void> {
    for (const part of this.parts) await this.run(part.name, () => part.prepare?.());
  }

  /** Starts the parts one after the other, in the background, while the daemon already serves requests. */
  start(): void {
    this.started = (async () => {
      for (const part of this.parts) if (part.start) await this.run(part.name, () => part.start?.());
    })();
  }

  /** Closes the parts in reverse order. What has not started yet never does. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const { name, close } of this.parts.toReversed()) {
      try {
        await close?.();
      } catch (error) {
        this.onError(`${name} could not be closed`, error);
      }
    }
    await this.started;
  }

  /** Tries again while the store fails. A part that fails otherwise does not keep the others down. */
  private async run(name: string, work: () => void | Promise<void> | undefined): Promise<void> {
    while (!this.isClosing) {
      try {
        await work();
        return;
      } catch (error) {
        this.onError(`${name} could not be started`, error);
        if (!isStoreFault(error)) return;
        await pause(limits.store.retry);
      }
    }
  }
}
