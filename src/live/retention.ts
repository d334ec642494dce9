/**
 * What is kept of people's prompts is bounded in age, count and bytes. A cut takes the oldest events of ended sessions, in
 * small steps with pauses, and leaves each session's folded state at the cut behind. Live sessions stay whole.
 */
import type { Clock } from '../clock.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import { fold, snapshotDraft, snapshotName } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import type { Outline } from '../store/log.ts';
import type { Store } from '../store/store.ts';
import { Roll } from './roll.ts';

export interface Bounds {
  age: number;
  events: number;
  bytes: number;
}

/** As many rows as one step may look at, by bytes; at least one. */
const bounded = (rows: Outline[]): Outline[] => {
  let bytes = 0;
  const end = rows.findIndex(row => {
    bytes += row.bytes;
    return bytes > limits.cutBytes;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
};

const isSnapshot = (row: Outline): boolean => row.source === 'drover' && row.name === snapshotName;

export class Retention {
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private cutting = false;

  constructor(
    private readonly store: Store,
    private readonly roll: Roll,
    private readonly bounds: Bounds,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setInterval(
      () => void this.cut().catch(error => this.onError('retention failed', error)),
      limits.cutEvery,
    );
    this.timer.unref();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearInterval(this.timer);
  }

  /** One whole pass over the log, or none when nothing is over its bound. */
  async cut(): Promise<void> {
    if (this.cutting) return;
    this.cutting = true;
    try {
      await this.pass();
    } finally {
      this.cutting = false;
    }
  }

  private async pass(): Promise<void> {
    this.store.write(() => {
      this.store.log.releaseBefore(this.clock.now() - limits.repeatWindow);
      this.store.waits.removeBefore(this.clock.now() - limits.waitAge);
      this.store.spans.removeBefore(this.clock.now() - limits.spanAge);
      this.store.audit.removeOld(this.clock.now() - limits.auditAge, limits.auditRows);
    });
    let cursor = 0;
    while (!this.closed) {
      const rows = bounded(this.store.log.oldest(cursor, limits.cutStep));
      const last = rows.at(-1);
      if (!last || !this.isOver(rows[0] as Outline)) break;
      this.store.write(() => this.step(rows));
      cursor = last.seq;
      await new Promise(resolve => setTimeout(resolve, limits.cutPause));
    }
    // The texts of an action go with its event.
    if (cursor > 0 && !this.closed) this.store.write(() => this.store.audit.stripGone());
  }

  private isOver(oldest: Outline): boolean {
    const { events, bytes } = this.store.log.totals();
    return (
      events > this.bounds.events ||
      bytes > this.bounds.bytes ||
      oldest.seen < this.clock.now() - this.bounds.age
    );
  }

  private step(rows: Outline[]): void {
    const { events, bytes } = this.store.log.totals();
    let spareRows = events - this.bounds.events;
    let spareBytes = bytes - this.bounds.bytes;
    const tooOld = this.clock.now() - this.bounds.age;
    const cuts = new Map<string | null, Outline>();
    for (const row of rows) {
      const session = row.sessionId === null ? undefined : this.roll.get(row.sessionId);
      if (session && session.state !== 'ended') continue;
      if (row.seen >= tooOld && (isSnapshot(row) || (spareRows <= 0 && spareBytes <= 0))) continue;
      spareRows--;
      spareBytes -= row.bytes;
      cuts.set(row.sessionId, row);
    }
    for (const [sessionId, row] of cuts) {
      if (sessionId === null) this.store.log.removeOwnerless(row.seq);
      else this.cutSession(sessionId, row, tooOld);
    }
  }

  /** A session whose last event is too old goes altogether; of any other its state at the cut stays. */
  private cutSession(id: string, row: Outline, tooOld: number): void {
    const { log, sessions } = this.store;
    const now = this.roll.get(id);
    // A session's `seq` may be an event of its successor: only its own rows say whether anything of it is left.
    const isWhole = !now || log.read({ after: row.seq, sessionId: id, rows: 1 }).length === 0;
    if (isWhole && row.seen < tooOld) {
      log.removeOf(id, row.seq);
      sessions.remove(id);
      this.roll.remove(id);
      return;
    }
    const session = isWhole && now ? now : this.stateAt(id, row.seq);
    log.removeOf(id, row.seq);
    if (!session) return;
    log.putAt(row.seq, snapshotDraft({ ...session, next: now?.next ?? session.next }), row.seen);
  }

  private stateAt(id: string, seq: number): Folded | undefined {
    const roll = new Roll([]);
    let cursor = 0;
    for (;;) {
      const events = this.store.log.read({ after: cursor, sessionId: id, rows: 500, bytes: 16_000_000 });
      const overlay = roll.overlay();
      for (const event of events)
        if (event.seq <= seq)
          for (const session of fold(overlay, event, parseObject(event.raw))) overlay.put(session);
      overlay.settle();
      cursor = events.at(-1)?.seq ?? seq;
      if (cursor >= seq) return roll.get(id);
    }
  }
}
