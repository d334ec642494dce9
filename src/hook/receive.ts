/**
 * Moves events from the spool into the log. A callback of the watcher only starts a scan (watchers overflow silently), and a
 * slow scan runs in addition. A file is removed after its event is durable; a repeated delivery is recognised by its key.
 */
import { mkdirSync, rmSync, statSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import type { Aside } from './aside.ts';
import { withoutOwnHost } from './here.ts';
import { draftOf } from './payload.ts';
import { type Entry, listSpool, readEntry, readSpoolFile } from './spool.ts';

interface Ready {
  draft: Draft;
  key: string;
  file: string;
}

export interface EventSink {
  append: (deliveries: { draft: Draft; key?: string | undefined }[]) => Promise<void>;
  release: (keys: string[]) => void;
}

export class SpoolReceiver {
  /** Number of files in the spool at the last scan. */
  depth = 0;
  /** The last scan could not store what it found. */
  failing = false;
  private watcher: ReturnType<typeof watch> | null = null;
  private watched = 0;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private again = false;
  private closed = false;
  /** Old files without their end mark: their size, and when they last changed by the uptime of the machine. */
  private readonly unsealed = new Map<string, { size: number; since: number }>();

  constructor(
    private readonly paths: Paths,
    private readonly sink: EventSink,
    private readonly aside: Aside,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Drains the spool, then follows it. */
  async start(): Promise<void> {
    this.follow();
    await this.scan();
    if (this.closed) return;
    this.timer = setInterval(() => {
      this.follow();
      void this.scan();
    }, limits.spool.scan);
  }

  /** Reads what is in the spool now. Calls during a scan lead to one more scan. */
  scan(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.again = this.running !== null;
    this.running ??= this.scanUntilDone().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearInterval(this.timer);
    this.watcher?.close();
    await this.running;
  }

  private async scanUntilDone(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.round();
        this.failing = false;
      } catch (error) {
        // The files stay where they are, and the next scan retries.
        this.failing = true;
        this.onError('Could not read the spool', error);
        setTimeout(() => void this.scan(), limits.store.retry).unref();
        return;
      }
    } while (this.again && !this.closed);
  }

  private async round(): Promise<void> {
    const { entries, odd } = listSpool(this.paths.spool);
    for (const { file, reason } of odd) this.setAside(file, reason);
    const there = new Set(entries.map(({ file }) => file));
    for (const file of this.unsealed.keys()) if (!there.has(file)) this.unsealed.delete(file);
    this.depth = entries.length;
    const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
    if (entries.length > limits.spool.maxFiles || bytes > limits.spool.maxBytes)
      writeFileSync(this.paths.full, '', { mode: 0o600 });
    let rest = entries;
    while (rest.length > 0 && !this.closed) {
      rest = await this.batch(rest);
      await new Promise(setImmediate);
    }
    if (this.depth <= limits.spool.maxFiles / 2) rmSync(this.paths.full, { force: true });
  }

  /** Stores the oldest files and returns the rest. */
  private async batch(entries: Entry[]): Promise<Entry[]> {
    const ready: Ready[] = [];
    let bytes = 0;
    let used = 0;
    for (const entry of entries) {
      if (used >= limits.spool.batchFiles || bytes >= limits.spool.batchBytes) break;
      used++;
      bytes += entry.size;
      const draft = this.readFile(entry);
      if (draft) ready.push({ draft, key: entry.key, file: entry.file });
    }
    if (ready.length) await this.store(ready);
    return entries.slice(used);
  }

  /** Stores a batch; a rejected one is retried file by file, so that one bad event cannot block the rest. */
  private async store(ready: Ready[]): Promise<void> {
    try {
      await this.sink.append(ready);
    } catch (error) {
      if (isTemporary(error)) throw error;
      if (ready.length === 1) {
        this.setAside((ready[0] as Ready).file, `refused: ${String(error)}`);
        return;
      }
      for (const item of ready) await this.store([item]);
      return;
    }
    const gone = ready.filter(item => remove(item.file));
    this.sink.release(gone.map(item => item.key));
    this.depth -= gone.length;
  }

  private readFile(entry: Entry): Draft | null {
    if (entry.size > limits.http.eventBytes)
      return this.setAside(entry.file, `larger than ${limits.http.eventBytes} bytes`);
    const bytes = readEntry(entry.file);
    if (!bytes) return null;
    const spooled = readSpoolFile(bytes);
    const young =
      !spooled?.sealed && (this.clock.now() - entry.at <= limits.spool.tornAfter || this.isGrowing(entry));
    // Skip a file that is still being written, so that it is not parsed at each callback.
    if (spooled && !spooled.sealed && young && !endsLikeObject(spooled.payload)) return null;
    const draft =
      spooled && (spooled.sealed || spooled.payload.length > 0)
        ? draftOf({ ...spooled, at: entry.at })
        : null;
    if (draft)
      return { ...draft, context: { ...withoutOwnHost(draft.context), ...deliveryOf(draft, entry) } };
    if (spooled?.sealed) return this.setAside(entry.file, 'the payload is not a JSON object');
    return young ? null : this.setAside(entry.file, 'torn: its writer stopped before the end');
  }

  /**
   * Whether it grew within the time after which a writer counts as dead. The age of a file is not enough: a clock that is set
   * forward makes a file look old while it is being written.
   */
  private isGrowing({ file, size }: Entry): boolean {
    const now = this.clock.uptime?.();
    if (now === undefined) return false;
    const before = this.unsealed.get(file);
    if (before?.size !== size) this.unsealed.set(file, { size, since: now });
    return before?.size !== size || now - before.since <= limits.spool.tornAfter;
  }

  private setAside(file: string, reason: string): null {
    try {
      this.aside.move(file, reason);
    } catch (error) {
      this.onError(`Could not move ${file} aside`, error);
    }
    return null;
  }

  /** Watches the spool, and again after it was replaced or the watcher failed. */
  private follow(): void {
    try {
      mkdirSync(this.paths.spool, { recursive: true, mode: 0o700 });
      const { ino } = statSync(this.paths.spool);
      if (this.watcher && ino === this.watched) return;
      this.watcher?.close();
      this.watcher = null;
      const watcher = watch(this.paths.spool, () => void this.scan());
      watcher.on('error', error => {
        this.onError('The spool watcher failed; scans continue', error);
        watcher.close();
        if (this.watcher === watcher) this.watcher = null;
      });
      this.watcher = watcher;
      this.watched = ino;
    } catch (error) {
      this.onError('Cannot watch the spool; scans continue', error);
    }
  }
}

/** Returns the name of the delivery if its hook may wait for an answer. */
const deliveryOf = ({ name }: Draft, { key }: Entry): { delivery?: string } =>
  mayWait.includes(name) ? { delivery: key } : {};

const mayWait = ['PermissionRequest', 'Stop', 'PreCompact'];

const endsLikeObject = (payload: Buffer): boolean => {
  let at = payload.length - 1;
  while (at >= 0 && (payload[at] as number) <= 0x20) at--;
  return payload[at] === 0x7d;
};

/** Whether the store is full, locked or failing: it would reject every event, so all of them wait. */
const isTemporary = (error: unknown): boolean => (error as { code?: unknown }).code === 'store_failed';

const remove = (file: string): boolean => {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};
