/**
 * From the spool into the log. A watcher's callback means no more than "look again" (it overflows without a word), and a
 * slow scan stands beside it. A file is removed after its event is durable; a delivery that comes again is known by its key.
 */
import { mkdirSync, rmSync, statSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import type { Aside } from './aside.ts';
import { localise } from './here.ts';
import { draftOf } from './payload.ts';
import { type Entry, listSpool, readEntry } from './spool.ts';
import { readSpoolFile } from './spool-file.ts';

interface Ready {
  draft: Draft;
  key: string;
  file: string;
}

export interface Taker {
  take: (deliveries: { draft: Draft; key?: string | undefined }[]) => Promise<void>;
  release: (keys: string[]) => void;
}

export class Receive {
  /** Files in the spool at the last look. */
  depth = 0;
  /** The last scan could not hand over what it found. */
  failing = false;
  private watcher: ReturnType<typeof watch> | null = null;
  private watched = 0;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private again = false;
  private closed = false;
  /** Old files without their end mark: how large they were when, by the steady clock, they were seen to change last. */
  private readonly unsealed = new Map<string, { size: number; since: number }>();

  constructor(
    private readonly paths: Paths,
    private readonly taker: Taker,
    private readonly aside: Aside,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Drains what is there, then follows the spool. */
  async start(): Promise<void> {
    this.follow();
    await this.scan();
    if (this.closed) return;
    this.timer = setInterval(() => {
      this.follow();
      void this.scan();
    }, limits.spool.scan);
  }

  /** Takes in what stands in the spool now. Calls while a scan runs lead to one more scan. */
  scan(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.again = this.running !== null;
    this.running ??= this.rounds().finally(() => {
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

  private async rounds(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.round();
        this.failing = false;
      } catch (error) {
        // Disk full, store refused: the files stay where they are and the next scan tries again.
        this.failing = true;
        this.onError('the spool could not be taken in', error);
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

  /** Takes the oldest files in and returns the rest. */
  private async batch(entries: Entry[]): Promise<Entry[]> {
    const ready: Ready[] = [];
    let bytes = 0;
    let used = 0;
    for (const entry of entries) {
      if (used >= limits.spool.batchFiles || bytes >= limits.spool.batchBytes) break;
      used++;
      bytes += entry.size;
      const draft = this.examine(entry);
      if (draft) ready.push({ draft, key: entry.key, file: entry.file });
    }
    if (ready.length) await this.hand(ready);
    return entries.slice(used);
  }

  /** Hands a batch over; one that is refused is tried file by file, so that a single bad event cannot hold up the rest. */
  private async hand(ready: Ready[]): Promise<void> {
    try {
      await this.taker.take(ready);
    } catch (error) {
      if (mayPass(error)) throw error;
      if (ready.length === 1) {
        this.setAside((ready[0] as Ready).file, `refused: ${String(error)}`);
        return;
      }
      for (const item of ready) await this.hand([item]);
      return;
    }
    const gone = ready.filter(item => remove(item.file));
    this.taker.release(gone.map(item => item.key));
    this.depth -= gone.length;
  }

  private examine(entry: Entry): Draft | null {
    if (entry.size > limits.http.eventBytes)
      return this.setAside(entry.file, `larger than ${limits.http.eventBytes} bytes`);
    const bytes = readEntry(entry.file);
    if (!bytes) return null;
    const spooled = readSpoolFile(bytes);
    const young =
      !spooled?.sealed && (this.clock.now() - entry.at <= limits.spool.tornAfter || this.isGrowing(entry));
    // Still being written: not worth a parse at each callback.
    if (spooled && !spooled.sealed && young && !endsLikeObject(spooled.payload)) return null;
    const draft =
      spooled && (spooled.sealed || spooled.payload.length > 0)
        ? draftOf({ ...spooled, at: entry.at })
        : null;
    if (draft) return { ...draft, context: { ...localise(draft.context), ...deliveryOf(draft, entry) } };
    if (spooled?.sealed) return this.setAside(entry.file, 'the payload is not a JSON object');
    return young ? null : this.setAside(entry.file, 'torn: its writer stopped half-way');
  }

  /**
   * Whether it was seen to grow within the time after which a writer counts as dead. The age of a file alone does not tell:
   * a clock that is set forward makes a file old that is being written at this moment.
   */
  private isGrowing({ file, size }: Entry): boolean {
    const now = this.clock.steady?.();
    if (now === undefined) return false;
    const before = this.unsealed.get(file);
    if (before?.size !== size) this.unsealed.set(file, { size, since: now });
    return before?.size !== size || now - before.since <= limits.spool.tornAfter;
  }

  private setAside(file: string, reason: string): null {
    try {
      this.aside.move(file, reason);
    } catch (error) {
      this.onError(`${file} could not be moved aside`, error);
    }
    return null;
  }

  /** Watches the spool, and watches it anew when it was replaced or the watcher died. */
  private follow(): void {
    try {
      mkdirSync(this.paths.spool, { recursive: true, mode: 0o700 });
      const { ino } = statSync(this.paths.spool);
      if (this.watcher && ino === this.watched) return;
      this.watcher?.close();
      this.watcher = null;
      const watcher = watch(this.paths.spool, () => void this.scan());
      watcher.on('error', error => {
        this.onError('the spool watcher failed; the scan goes on', error);
        watcher.close();
        if (this.watcher === watcher) this.watcher = null;
      });
      this.watcher = watcher;
      this.watched = ino;
    } catch (error) {
      this.onError('the spool cannot be watched; the scan goes on', error);
    }
  }
}

/** The name of a delivery is kept where its hook may wait for an answer. */
const deliveryOf = ({ name }: Draft, { key }: Entry): { delivery?: string } =>
  mayWait.includes(name) ? { delivery: key } : {};

const mayWait = ['PermissionRequest', 'Stop', 'PreCompact'];

const endsLikeObject = (payload: Buffer): boolean => {
  let at = payload.length - 1;
  while (at >= 0 && (payload[at] as number) <= 0x20) at--;
  return payload[at] === 0x7d;
};

/** The store is full, locked or failing: every event would be refused, so all of them wait. */
const mayPass = (error: unknown): boolean => (error as { code?: unknown }).code === 'store_failed';

const remove = (file: string): boolean => {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};
