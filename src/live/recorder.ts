/**
 * Records events of Drover's own sources, which nobody would send again. While the store fails they are queued here, and later
 * events are queued behind them.
 */
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Delivery } from './loop.ts';

export class Recorder {
  private waiting: Draft[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly append: (deliveries: Delivery[]) => Promise<void>,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Number of events that the store has not accepted yet. */
  get pending(): number {
    return this.waiting.length;
  }

  /** Records events; retries until the store has accepted them. */
  record(drafts: Draft[]): void {
    if (this.waiting.length > 0) this.keep(drafts);
    else this.send(drafts).catch(error => this.failed(drafts, error));
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private send(drafts: Draft[]): Promise<void> {
    return this.append(drafts.map(draft => ({ draft })));
  }

  private failed(drafts: Draft[], error: unknown): void {
    if (!isRefused(error)) this.keep(drafts);
    else if (drafts.length > 1) for (const draft of drafts) this.record([draft]);
    else this.onError('Dropped an event that cannot be stored', error);
  }

  /** Keeps events for the next try. An event that repeats, such as a dead process, is kept once. */
  private keep(drafts: Draft[]): void {
    for (const draft of drafts) {
      const last = this.waiting.findLast(({ sessionId }) => sessionId === draft.sessionId);
      if (!last || !isSame(last, draft)) this.waiting.push(draft);
    }
    const over = this.waiting.length - limits.store.pendingEvents;
    if (over > 0) {
      this.waiting.splice(0, over);
      this.onError('The store has failed for too long', new Error(`${over} events were dropped`));
    }
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.retry(), limits.store.retry).unref();
  }

  private async retry(): Promise<void> {
    const drafts = this.waiting.slice();
    try {
      await this.send(drafts);
      this.drop(drafts);
    } catch (error) {
      if (isRefused(error)) await this.retryEach(drafts);
    }
    this.timer = null;
    if (this.waiting.length > 0) this.schedule();
  }

  /** Retries one by one, and drops the event that cannot be stored. */
  private async retryEach(drafts: Draft[]): Promise<void> {
    for (const draft of drafts) {
      const error = await this.send([draft]).catch((reason: unknown) => reason);
      if (error && !isRefused(error)) return;
      if (error) this.onError('Dropped an event that cannot be stored', error);
      this.drop([draft]);
    }
  }

  private drop(drafts: Draft[]): void {
    const done = new Set(drafts);
    this.waiting = this.waiting.filter(draft => !done.has(draft));
  }
}

/** Whether the store will never accept it. Any other failure is temporary. */
const isRefused = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'bad_event';

const isSame = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.source === other.source && Buffer.compare(one.raw, other.raw) === 0;
