/**
 * Publishes outlines of this host's events, each once and in order: one batch at a time, stored only if the broker's last batch
 * is the one that this host sent last. Otherwise it continues from what the broker has, which may be further back when the broker
 * lost what it had acknowledged.
 */
import type { Event } from '../../contract/event.ts';
import { limits } from '../../limits.ts';
import { NoReceiver, WrongLastSequence } from '../bus.ts';
import { type PublisherContext, readOwn } from '../context.ts';
import { seal } from '../envelope.ts';
import { OutlineBatch, type OutlineLine } from './outline.ts';

export interface OutlinePublisherDeps extends PublisherContext {
  epoch: string;
  /** Events after this one, in order. */
  read: (after: number, rows: number) => Event[];
}

export class OutlinePublisher {
  readonly counts = { published: 0 };
  private cursor = 0;
  private last = 0;
  private isAllowed = false;
  private isRunning = false;
  private isWanted = false;
  private retry: NodeJS.Timeout | null = null;
  /** Counts the starts and stops: either cancels a start that still waits for the broker. */
  private runs = 0;

  constructor(private readonly deps: OutlinePublisherDeps) {}

  /** Finds out what the broker has, and continues after it. */
  async start(): Promise<void> {
    this.stop();
    const run = ++this.runs;
    await this.synchronize();
    if (run !== this.runs) return;
    this.isAllowed = true;
    this.onCommit();
  }

  stop(): void {
    this.runs++;
    this.isAllowed = false;
    if (this.retry) clearTimeout(this.retry);
    this.retry = null;
  }

  onCommit(): void {
    this.isWanted = true;
    if (this.isRunning || !this.isAllowed || this.retry) return;
    this.isRunning = true;
    setImmediate(() => {
      void this.publishAll().finally(() => {
        this.isRunning = false;
        if (this.isWanted) this.onCommit();
      });
    });
  }

  private async synchronize(): Promise<void> {
    const { bus, subjects, host, epoch } = this.deps;
    const stored = await bus.last(subjects.logStream, subjects.log(host));
    this.last = stored?.seq ?? 0;
    const batch = stored && (await readOwn(this.deps, 'log', OutlineBatch, stored.bytes));
    this.cursor = batch?.epoch === epoch ? batch.to : this.oldest();
  }

  /** An empty broker gets everything that it would still keep. */
  private oldest(): number {
    const { read, now } = this.deps;
    const since = now() - limits.fleet.logAge;
    for (let cursor = 0; ; ) {
      const events = read(cursor, limits.fleet.outlineScan);
      const young = events.find(({ seen }) => seen >= since);
      if (young) return young.seq - 1;
      const end = events.at(-1);
      if (!end) return cursor;
      cursor = end.seq;
    }
  }

  private async publishAll(): Promise<void> {
    while (this.isAllowed) {
      this.isWanted = false;
      const events = this.deps.read(this.cursor, limits.fleet.outlineBatch);
      if (events.length === 0) return;
      try {
        if (await this.publish(events)) continue;
        this.publishLater();
        return;
      } catch (error) {
        if (error instanceof WrongLastSequence) {
          await this.synchronize().catch(() => this.publishLater());
          continue;
        }
        if (this.isAllowed && !(error instanceof NoReceiver))
          this.deps.onError('Outlines were not published', error);
        this.publishLater();
        return;
      }
    }
  }

  private publishLater(): void {
    this.isWanted = false;
    this.retry ??= setTimeout(() => {
      this.retry = null;
      // Only the broker knows whether the batch was stored.
      void this.synchronize().then(
        () => this.onCommit(),
        () => this.publishLater(),
      );
    }, limits.fleet.reconnect).unref();
  }

  /** Returns false if the broker has these and shows an earlier batch as the last one, which somebody has stored again. */
  private async publish(events: Event[]): Promise<boolean> {
    const { bus, subjects, fleet, host, key, epoch } = this.deps;
    const to = (events.at(-1) as Event).seq;
    const batch: OutlineBatch = {
      host,
      epoch,
      from: this.cursor,
      to,
      events: events.filter(({ context }) => context.origin === undefined).map(lineOf),
    };
    const { seq, isDuplicate } = await bus.store(
      subjects.log(host),
      seal(fleet, 'log', host, key.secret, batch),
      { id: `${host}:${epoch}:${this.cursor}`, expectLast: this.last },
    );
    if (isDuplicate) {
      const before = this.cursor;
      await this.synchronize();
      return this.cursor !== before;
    }
    this.cursor = to;
    this.last = seq;
    this.counts.published += batch.events.length;
    return true;
  }
}

const lineOf = ({ seq, at, source, name, sessionId }: Event): OutlineLine => [
  seq,
  at,
  source,
  name.slice(0, 200),
  sessionId === null ? null : sessionId.slice(0, 200),
];
