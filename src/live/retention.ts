/**
 * Bounds the log in age, count and bytes. A cut removes the oldest events of ended sessions, in small steps with pauses, and
 * writes a snapshot of each session's state in their place. A live session loses events only when it has more than its share,
 * or when nothing else is left to cut.
 */
import type { Clock } from '../clock.ts';
import { idParts } from '../contract/origin.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import { fold, snapshotDraft, snapshotName } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { type Budgets, defaultBudgets } from '../session/timing.ts';
import type { Outline } from '../store/log.ts';
import type { Store } from '../store/store.ts';
import { SessionIndex } from './session-index.ts';
import { trustedNow } from './trusted-clock.ts';

export interface Bounds {
  age: number;
  events: number;
  bytes: number;
  /** The share of one session. */
  sessionEvents: number;
  sessionBytes: number;
}

/** When a limit was last reached, and what was removed since it was first reached. */
export interface LimitReached {
  at: number;
  sessionId: string | null;
  events: number;
  bytes: number;
}

/** Returns the limits that were reached, by name. */
export const limitsReached = (store: Store): Partial<Record<'session' | 'total', LimitReached>> =>
  store.facts.read(limitFact) ?? {};

const limitFact = 'limits';

/** Sessions of an origin that are removed before a pause. */
const originStep = 20;

/** Returns the first rows that fit into the bytes of one step, at least one. */
const firstWithinStep = (rows: Outline[]): Outline[] => {
  let bytes = 0;
  const end = rows.findIndex(row => {
    bytes += row.bytes;
    return bytes > limits.retention.stepBytes;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
};

const isSnapshot = (row: Outline): boolean => row.source === 'drover' && row.name === snapshotName;

export class Retention {
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private isPruning = false;
  /** The trusted time of the running pass. */
  private now = 0;

  constructor(
    private readonly store: Store,
    private readonly sessionIndex: SessionIndex,
    private readonly bounds: Bounds,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
    private readonly budgets: Budgets = defaultBudgets,
  ) {}

  start(): void {
    this.timer = setInterval(
      () => void this.prune().catch(error => this.onError('retention failed', error)),
      limits.retention.interval,
    );
    this.timer.unref();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearInterval(this.timer);
  }

  /** Makes one pass over the log, unless one is running. */
  async prune(): Promise<void> {
    if (this.isPruning) return;
    this.isPruning = true;
    try {
      await this.pass();
    } finally {
      this.isPruning = false;
    }
  }

  private async pass(): Promise<void> {
    this.store.write(() => {
      this.now = trustedNow(this.store, this.clock);
      this.store.log.releaseBefore(this.now - limits.duplicates.postWindow);
      this.store.waits.removeBefore(this.now - limits.retention.waitAge);
      this.store.spans.removeBefore(this.now - limits.retention.spanAge);
      this.store.changes.removeBefore(this.now - this.bounds.age);
      this.store.changes.trim(limits.changes.totalBytes);
      this.store.audit.removeOld(this.now - limits.audit.age, limits.audit.maxRows, limits.audit.callerRows);
    });
    // First, so that the others do not pay for it.
    const foreign = await this.pruneOrigins();
    const heavy = await this.pruneLarge();
    const ended = await this.pruneOldest(false);
    // Only live sessions are left: their oldest events are removed too.
    const live = this.isOverTotal(this.sessionIndex.all().length) ? await this.pruneOldest(true) : false;
    // The texts of an action are removed with its event.
    if ((foreign || heavy || ended || live) && !this.closed)
      this.store.write(() => this.store.audit.clearTextsOfRemoved());
  }

  /** Removes the oldest sessions of origins that exceed their share, live or not; of the last one its oldest events. */
  private async pruneOrigins(): Promise<boolean> {
    const { originShare, originSessions } = limits.retention;
    const [maxEvents, maxBytes] = [this.bounds.events * originShare, this.bounds.bytes * originShare];
    const found = this.store.log.originsOver(maxEvents, maxBytes, originSessions);
    for (const origin of found) {
      let { events, bytes, sessions } = origin;
      const oldest = this.sessionIndex
        .all()
        .filter(({ id }) => idParts(id).origin === origin.origin)
        .sort((a, b) => a.seq - b.seq);
      for (const { id } of oldest) {
        if (this.closed || (events <= maxEvents && bytes <= maxBytes && sessions <= originSessions)) break;
        if (sessions === 1) {
          await this.trim(id, events - maxEvents, bytes - maxBytes);
          break;
        }
        const volume = this.store.log.volumeOf(id);
        this.store.write(() => this.removeSession(id));
        events -= volume.events;
        bytes -= volume.bytes;
        sessions--;
        if (sessions % originStep === 0) await this.pause();
      }
    }
    return found.length > 0;
  }

  /** Removes the oldest events of sessions that exceed their share, live or not. */
  private async pruneLarge(): Promise<boolean> {
    const { sessionEvents, sessionBytes } = this.bounds;
    const found = this.store.log.sessionsOver(sessionEvents, sessionBytes);
    for (const { sessionId, events, bytes } of found)
      await this.trim(sessionId, events - sessionEvents, bytes - sessionBytes);
    return found.length > 0;
  }

  /** Removes this many of the oldest events, or bytes, of a session. */
  private async trim(sessionId: string, events: number, bytes: number): Promise<void> {
    let [rowsOver, bytesOver] = [events, bytes];
    while (!this.closed && (rowsOver > 0 || bytesOver > 0)) {
      const rows = firstWithinStep(this.store.log.oldestOf(sessionId, limits.retention.stepRows)).filter(
        row => {
          const isOver = rowsOver > 0 || bytesOver > 0;
          rowsOver -= isOver ? 1 : 0;
          bytesOver -= isOver ? row.bytes : 0;
          return isOver;
        },
      );
      const last = rows.at(-1);
      if (!last || (rows.length === 1 && isSnapshot(last))) break;
      this.store.write(() => {
        this.pruneSession(sessionId, last, Number.NEGATIVE_INFINITY);
        this.noteLimit('session', sessionId, rows);
      });
      await this.pause();
    }
  }

  /** Removes events from the oldest on while a limit is exceeded; returns false when none was. */
  private async pruneOldest(withLive: boolean): Promise<boolean> {
    let cursor = 0;
    while (!this.closed) {
      const rows = firstWithinStep(this.store.log.oldest(cursor, limits.retention.stepRows));
      const last = rows.at(-1);
      if (!last || !this.isOver(rows[0] as Outline)) break;
      this.store.write(() => this.step(rows, withLive));
      cursor = last.seq;
      await this.pause();
    }
    return cursor > 0;
  }

  private pause(): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, limits.retention.stepPause));
  }

  private isOver(oldest: Outline): boolean {
    return this.isOverTotal() || oldest.seen < this.now - this.bounds.age;
  }

  /** `snapshots`: number of events that are snapshots, which stay. */
  private isOverTotal(snapshots = 0): boolean {
    const { events, bytes } = this.store.log.totals();
    return (
      events - snapshots > this.bounds.events ||
      bytes - snapshots * limits.retention.snapshotBytes > this.bounds.bytes
    );
  }

  private step(rows: Outline[], withLive: boolean): void {
    const { events, bytes } = this.store.log.totals();
    let spareRows = events - this.bounds.events;
    let spareBytes = bytes - this.bounds.bytes;
    const tooOld = this.now - this.bounds.age;
    const cuts = new Map<string | null, Outline>();
    const young: Outline[] = [];
    for (const row of rows) {
      const session = row.sessionId === null ? undefined : this.sessionIndex.get(row.sessionId);
      const isLive = session !== undefined && (session.state !== 'ended' || session.parked);
      if (isLive && !withLive) continue;
      const isOld = row.seen < tooOld && !isLive;
      if (!isOld && (isSnapshot(row) || (spareRows <= 0 && spareBytes <= 0))) continue;
      if (!isOld) young.push(row);
      spareRows--;
      spareBytes -= row.bytes;
      cuts.set(row.sessionId, row);
    }
    for (const [sessionId, row] of cuts) {
      if (sessionId === null) this.store.log.removeWithoutSession(row.seq);
      else this.pruneSession(sessionId, row, tooOld);
    }
    this.noteLimit('total', null, young);
  }

  /** Records that a limit was reached, for `status` and `doctor`. Rows that were too old do not count. */
  private noteLimit(limit: 'session' | 'total', sessionId: string | null, rows: Outline[]): void {
    if (rows.length === 0) return;
    const reached = limitsReached(this.store);
    const events = (reached[limit]?.events ?? 0) + rows.length;
    const bytes = (reached[limit]?.bytes ?? 0) + rows.reduce((sum, row) => sum + row.bytes, 0);
    this.store.facts.save(limitFact, {
      ...reached,
      [limit]: { at: this.clock.now(), sessionId, events, bytes },
    });
  }

  /** Removes a session whose last event is too old; for any other, keeps its state at the cut. */
  private pruneSession(id: string, row: Outline, tooOld: number): void {
    const { log } = this.store;
    const now = this.sessionIndex.get(id);
    // A session's `seq` may be an event of its successor: only its own rows show whether anything is left.
    const isWhole = !now || log.read({ after: row.seq, sessionId: id, rows: 1 }).length === 0;
    if (isWhole && row.seen < tooOld) {
      this.removeSession(id);
      return;
    }
    const session = isWhole && now ? now : this.stateAt(id, row.seq);
    const first = log.oldestOf(id, 1)[0];
    log.removeOf(id, row.seq);
    if (!session) return;
    log.putAt(row.seq, snapshotDraft(now ? withInherited(session, now) : session), row.seen);
    if (first && first.seq < row.seq && !isSnapshot(first)) this.keepEnded(id, first);
  }

  private removeSession(id: string): void {
    this.store.log.removeOf(id);
    this.store.sessions.remove(id);
    this.store.changes.removeOf(id);
    this.sessionIndex.remove(id);
  }

  /** The removed events may have ended the session before this one: keeps that end in their place. */
  private keepEnded(id: string, place: Outline): void {
    const before = this.sessionIndex.all().find(({ next, state }) => next === id && state === 'ended');
    if (!before || this.store.log.oldestOf(before.id, 1).length === 0) return;
    this.store.log.putAt(place.seq, snapshotDraft(before), place.seen);
  }

  private stateAt(id: string, seq: number): Folded | undefined {
    const sessionIndex = new SessionIndex([]);
    let cursor = 0;
    for (;;) {
      const events = this.store.log.read({ after: cursor, sessionId: id, rows: 500, bytes: 16_000_000 });
      const overlay = sessionIndex.overlay();
      for (const event of events)
        if (event.seq <= seq)
          for (const session of fold(overlay, event, parseObject(event.raw), this.budgets))
            overlay.put(session);
      overlay.merge();
      cursor = events.at(-1)?.seq ?? seq;
      if (cursor >= seq) return sessionIndex.get(id);
    }
  }
}

/** Adds what a session inherited, and its successor: no event of its own contains them. */
const withInherited = (session: Folded, now: Folded): Folded => ({
  ...session,
  managed: session.managed || now.managed,
  driven: session.driven || now.driven,
  approvals: now.approvals,
  name: session.name ?? now.name,
  pane: session.pane ?? now.pane,
  next: now.next ?? session.next,
});
