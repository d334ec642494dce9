/**
 * All open streams. A reader replays from the log at its own pace. Once it has caught up it joins the live readers in the same
 * tick of the event loop, so there is no gap. A live reader that falls behind is disconnected, and resumes by cursor.
 */
import type { Writable } from 'node:stream';
import type { Caller } from '../contract/caller.ts';
import type { Event } from '../contract/event.ts';
import type { FleetSummary } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { snapshotName } from '../session/fold.ts';
import { type Folded, shown } from '../session/memory.ts';
import type { Log } from '../store/log.ts';
import { differs } from './differs.ts';
import { drained } from './drained.ts';
import { endFrame, fleetFrame, gapFrame, hookFrame, idLine, keepAlive, stateFrame } from './frame.ts';
import type { Commit, Loop } from './loop.ts';

interface Reader {
  sink: Writable;
  /** Who reads; null when it does not come over HTTP. */
  caller: Caller | null;
  /** Null: all sessions. */
  sessionId: string | null;
  /** False: only states. */
  hooks: boolean;
  /** Gets only sessions of this machine. */
  isLocal: boolean;
  /** Bytes that it may be behind: the limit, plus the size of its snapshot. */
  most: number;
  /** Ends its interest in the sessions of other machines; null for a reader of this machine's alone. */
  unwatch: (() => void) | null;
  /** Delays the end of a cleared session until its successor is known. */
  ending: NodeJS.Timeout | null;
}

/** The sessions of the other machines of the fleet. */
export interface Elsewhere {
  sessions: () => Session[];
  summary: () => FleetSummary;
  /** Somebody looks until the returned function is called. */
  watch: () => () => void;
}

export interface ServeOptions {
  /** False: only states, and nothing is replayed. */
  hooks?: boolean;
  caller?: Caller | null;
  /** Only sessions of this machine. */
  isLocal?: boolean;
}

export class Streams {
  readonly name = 'streams';
  readonly counts = { opened: 0, cut: 0 };
  private readonly open = new Set<Reader>();
  private readonly everything = new Set<Reader>();
  private readonly bySession = new Map<string, Set<Reader>>();
  /** The snapshot of all live and parked sessions, until the next commit. */
  private snapshot: Buffer | null = null;
  private readonly beat: NodeJS.Timeout;
  private elsewhere: Elsewhere | null = null;
  /** The state of the fleet that readers have. */
  private fleet: Buffer = fleetFrame(noFleet);
  private fleetTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly loop: Loop,
    private readonly log: Log,
  ) {
    this.beat = setInterval(() => this.keepAlive(), limits.stream.keepAlive);
    this.beat.unref();
  }

  get size(): number {
    return this.open.size;
  }

  /** Readers of everything get the sessions of other machines too; null: there are none any more. */
  setElsewhere(elsewhere: Elsewhere | null): void {
    this.elsewhere = elsewhere;
    for (const reader of this.everything) this.watchElsewhere(reader);
    this.publishFleet();
  }

  /** Serves one reader. `after` null: from now on. */
  async serve(
    sink: Writable,
    session: Folded | null,
    after: number | null,
    { hooks = true, caller = null, isLocal = false }: ServeOptions = {},
  ): Promise<void> {
    const reader: Reader = {
      isLocal,
      unwatch: null,
      sink,
      caller,
      sessionId: session?.id ?? null,
      hooks,
      most: limits.stream.readerBytes,
      ending: null,
    };
    this.open.add(reader);
    this.counts.opened++;
    sink.on('close', () => this.remove(reader));
    sink.on('error', () => this.remove(reader));
    if (after !== null && hooks) await this.replay(reader, after);
    else this.join(reader);
  }

  /** Ends the streams of sessions that were deleted. */
  drop(ids: Iterable<string>): void {
    this.snapshot = null;
    for (const id of ids) for (const reader of this.bySession.get(id) ?? []) reader.sink.end();
  }

  /** Ends the streams of the matching callers. */
  cutOf(fits: (caller: Caller) => boolean): void {
    for (const { caller, sink } of this.open) if (caller && fits(caller)) sink.end();
  }

  /** Ends every stream. Readers that are still allowed resume by cursor. */
  cutAll(): void {
    for (const reader of this.open) reader.sink.end();
  }

  close(): void {
    clearInterval(this.beat);
    if (this.fleetTimer) clearTimeout(this.fleetTimer);
    this.cutAll();
  }

  /** Whether a reader with this cursor has had the end: it may have come with an event of another session. */
  isOver({ id, state, seq }: Folded, after: number): boolean {
    if (state !== 'ended' || after < seq) return false;
    return !this.log.hasAfter(id, after);
  }

  /** Replays the events after the cursor, page by page, then joins the live readers. */
  private async replay(reader: Reader, after: number): Promise<void> {
    const { sink, sessionId } = reader;
    this.sendGap(reader, after);
    let cursor = after;
    while (isOpen(sink)) {
      const rows = { rows: limits.stream.replayRows, bytes: limits.stream.replayBytes };
      const events = this.log.read({ after: cursor, sessionId: sessionId ?? undefined, ...rows });
      if (events.length === 0) {
        this.join(reader);
        return;
      }
      let room = true;
      for (const event of events) room = this.replayOne(reader, event, after) && room;
      cursor = (events.at(-1) as Event).seq;
      await (room ? new Promise(setImmediate) : drained(sink));
    }
  }

  private replayOne({ sink, sessionId }: Reader, event: Event, after: number): boolean {
    if (sessionId !== null && event.source === 'drover' && event.name === snapshotName)
      return sink.write(gapFrame(after, event.seq));
    if (event.source !== 'hook') return true;
    // `end` follows the event that ended the session and carries the id, so a reader that misses it gets both again.
    const session = sessionId === null ? undefined : this.loop.sessionIndex.get(sessionId);
    const last = session?.state === 'ended' && event.seq >= session.evidence.seq;
    return sink.write(hookFrame(event, !last));
  }

  private sendGap({ sink, sessionId }: Reader, after: number): void {
    const last = this.log.last();
    if (after > last || (sessionId === null && after < this.log.gone()))
      sink.write(gapFrame(after, Math.min(this.log.gone() + 1, last + 1)));
  }

  /**
   * The snapshot and the joining happen without a pause between them, and between two commits: all that is in the log is in
   * the snapshot. So it carries the last seq, and a reader that breaks off before anything happens misses nothing either.
   */
  private join(reader: Reader): void {
    const { sink, sessionId } = reader;
    if (!isOpen(sink)) return;
    const last = this.log.last();
    if (sessionId === null) {
      this.snapshot ??= stateFrame(this.loop.sessionIndex.current().map(shown), null);
      reader.most += this.snapshot.length;
      // Without a replay a cursor is useless, and a snapshot is recognised by having no id.
      if (reader.hooks) sink.write(idLine(last));
      this.watchElsewhere(reader);
      const others = reader.unwatch ? (this.elsewhere?.sessions() ?? []) : [];
      sink.write(others.length > 0 ? this.wholeSnapshot(reader, others) : this.snapshot);
      if (reader.unwatch) sink.write(this.fleet);
      this.everything.add(reader);
      return;
    }
    const session = this.loop.sessionIndex.get(sessionId);
    if (!session) {
      sink.end();
      return;
    }
    // Then `end` follows and carries the id.
    sink.write(stateFrame([shown(session)], session.state === 'ended' ? null : last));
    const readers = this.bySession.get(sessionId) ?? new Set();
    this.bySession.set(sessionId, readers.add(reader));
    if (session.state === 'ended') this.finish(reader, session);
  }

  private wholeSnapshot(reader: Reader, others: Session[]): Buffer {
    const frame = stateFrame([...this.loop.sessionIndex.current().map(shown), ...others], null);
    reader.most += frame.length;
    return frame;
  }

  private watchElsewhere(reader: Reader): void {
    reader.unwatch?.();
    reader.unwatch = reader.isLocal ? null : (this.elsewhere?.watch() ?? null);
  }

  private remove(reader: Reader): void {
    reader.unwatch?.();
    if (reader.ending) clearTimeout(reader.ending);
    this.open.delete(reader);
    this.everything.delete(reader);
    if (reader.sessionId === null) return;
    const readers = this.bySession.get(reader.sessionId);
    readers?.delete(reader);
    if (readers?.size === 0) this.bySession.delete(reader.sessionId);
  }

  /**
   * Sends sessions of which something changed that no event records. All readers have what is in the log, so its last seq is
   * their cursor.
   */
  publishMeasured(sessions: Folded[]): void {
    if (sessions.length === 0) return;
    this.snapshot = null;
    const last = this.log.last();
    if (this.everything.size > 0) {
      const frames = [stateFrame(sessions.map(shown), last)];
      for (const reader of this.everything) this.send(reader, frames);
    }
    for (const session of sessions)
      for (const reader of this.bySession.get(session.id) ?? [])
        this.send(reader, [stateFrame([shown(session)], last)]);
  }

  /** Sends sessions of other machines that have changed. */
  publishElsewhere(sessions: Session[]): void {
    const readers = [...this.everything].filter(({ isLocal }) => !isLocal);
    if (readers.length === 0) return;
    const frames = [stateFrame(sessions, this.log.last())];
    for (const reader of readers) this.send(reader, frames);
  }

  /** Says which hosts are there, if that has changed. Signs of life come often, so it waits a moment. */
  publishFleet(): void {
    this.fleetTimer ??= setTimeout(() => {
      this.fleetTimer = null;
      const frame = fleetFrame(this.elsewhere?.summary() ?? noFleet);
      if (frame.equals(this.fleet)) return;
      this.fleet = frame;
      for (const reader of this.everything) if (!reader.isLocal) this.send(reader, [frame]);
    }, limits.fleet.summary).unref();
  }

  onCommit({ event, changed }: Commit): void {
    this.snapshot = null;
    if (this.everything.size > 0) this.publishToAll(event, changed);
    this.publishTo(event, changed);
  }

  /** The readers of all sessions: the states that changed, then the hook. Of both only the last carries the id. */
  private publishToAll(event: Event, changed: Commit['changed']): void {
    const seen = changed
      .filter(({ before, after }) => differs(before, after))
      .map(({ after }) => shown(after));
    const isHook = event.source === 'hook';
    if (!isHook && seen.length === 0) return;
    const states = (id: number | null) => (seen.length > 0 ? [stateFrame(seen, id)] : []);
    const statesAlone = states(event.seq);
    const all = isHook ? [...states(null), hookFrame(event, true)] : statesAlone;
    for (const reader of this.everything) this.send(reader, reader.hooks ? all : statesAlone);
  }

  /** Each session's own readers: its new state, the hook, and its end. Of these only the last carries the id. */
  private publishTo(event: Event, changed: Commit['changed']): void {
    const ids = new Set([
      ...(event.sessionId ? [event.sessionId] : []),
      ...changed.map(({ after }) => after.id),
    ]);
    for (const id of ids) {
      const readers = this.bySession.get(id);
      if (!readers) continue;
      const change = changed.find(({ after }) => after.id === id);
      const session: Session | undefined = change?.after;
      const isSeen = change !== undefined && differs(change.before, change.after);
      const over = session?.state === 'ended';
      const isHook = event.source === 'hook' && event.sessionId === id;
      const frames = [
        ...(isSeen ? [stateFrame([shown(change.after)], over || isHook ? null : event.seq)] : []),
        ...(isHook ? [hookFrame(event, !over)] : []),
      ];
      for (const reader of readers) {
        this.send(reader, frames);
        if (over) this.finish(reader, change?.after as Folded);
      }
    }
  }

  // The successor of a cleared session is named by the next event of the same process, so its end waits a little.
  private finish(reader: Reader, session: Folded): void {
    if (session.reason !== 'clear' || session.next) {
      reader.sink.end(endFrame(session, session.seq));
      this.remove(reader);
      return;
    }
    reader.ending ??= setTimeout(() => {
      reader.ending = null;
      const now = this.loop.sessionIndex.get(session.id);
      if (now?.state === 'ended' && isOpen(reader.sink)) reader.sink.end(endFrame(now, now.seq));
    }, limits.stream.clearWait);
  }

  private send(reader: Reader, frames: Buffer[]): void {
    const { sink } = reader;
    if (!isOpen(sink)) return;
    if (sink.writableLength > reader.most) {
      this.counts.cut++;
      sink.destroy();
      return;
    }
    reader.most = Math.max(
      limits.stream.readerBytes,
      Math.min(reader.most, sink.writableLength + limits.stream.readerBytes),
    );
    for (const frame of frames) {
      // One frame may be larger than the whole limit: the reader has to take it before more is sent.
      if (frame.length > limits.stream.readerBytes) reader.most += frame.length;
      sink.write(frame);
    }
  }

  private keepAlive(): void {
    for (const reader of this.everything) this.send(reader, [keepAlive]);
    for (const readers of this.bySession.values())
      for (const reader of readers) this.send(reader, [keepAlive]);
  }
}

const noFleet: FleetSummary = { connection: 'none', since: null, problem: null, hosts: [] };

const isOpen = (sink: Writable): boolean => !sink.destroyed && !sink.writableEnded;
