/**
 * All open streams. A reader replays from the log at its own pace. Once it has caught up it joins the live readers in the same
 * tick of the event loop, so there is no gap. A live reader that falls behind is disconnected, and resumes by cursor.
 */
import type { Writable } from 'node:stream';
import { type Caller, isToken, ownerName } from '../contract/caller.ts';
import type { Event } from '../contract/event.ts';
import type { FleetSummary } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { type Folded, shown } from '../session/memory.ts';
import type { Log } from '../store/log.ts';
import { differs } from './differs.ts';
import { endFrame, fleetFrame, hookFrame, idLine, keepAlive, stateFrame } from './frame.ts';
import type { Commit, Loop } from './loop.ts';
import { Reader } from './reader.ts';
import { replay } from './replay.ts';

/** The sessions of the other machines of the fleet. */
export interface RemoteSessions {
  sessions: () => Session[];
  summary: () => FleetSummary;
  /** Follows them until the returned function is called. */
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
  /** Readers of the outlines of all hosts, which the fleet writes. */
  private readonly outlines = new Set<Reader>();
  /** The snapshot of all live and parked sessions, until the next commit. */
  private snapshot: Buffer | null = null;
  private readonly beat: NodeJS.Timeout;
  private remote: RemoteSessions | null = null;
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

  /** Whether this caller, or all together, have as many streams as they may. */
  isFull(caller: Caller): boolean {
    if (this.open.size >= limits.stream.readers) return true;
    // The user's own commands and token are not bounded apart.
    if (caller.name === null || isToken(ownerName)(caller)) return false;
    let own = 0;
    for (const reader of this.open)
      if (reader.caller?.kind === caller.kind && reader.caller.name === caller.name) own++;
    return own >= limits.stream.callerReaders;
  }

  /** Sets the source of sessions of other machines, for readers of all sessions; null when this machine has left its fleet. */
  setRemoteSessions(remote: RemoteSessions | null): void {
    this.remote = remote;
    for (const reader of this.everything) this.watchRemote(reader);
    this.publishFleet();
  }

  /** Serves one reader. `after` null: from now on. */
  async serve(
    sink: Writable,
    session: Folded | null,
    after: number | null,
    { hooks = true, caller = null, isLocal = false }: ServeOptions = {},
  ): Promise<void> {
    const reader = new Reader(sink, { caller, sessionId: session?.id ?? null, hooks, isLocal });
    this.open.add(reader);
    this.counts.opened++;
    sink.on('close', () => this.remove(reader));
    sink.on('error', () => this.remove(reader));
    const join = (): void => this.join(reader);
    if (after === null || !hooks) join();
    else await replay({ log: this.log, sessionIndex: this.loop.sessionIndex }, reader, after, join);
  }

  /** Keeps a stream of outlines alive, and ends it with the others of its caller. */
  addOutlines(sink: Writable, caller: Caller): void {
    const reader = new Reader(sink, { caller, sessionId: null, hooks: false, isLocal: true });
    this.open.add(reader);
    this.outlines.add(reader);
    this.counts.opened++;
    sink.on('close', () => this.remove(reader));
    sink.on('error', () => this.remove(reader));
  }

  /** How many read outlines. */
  get outlineReaders(): number {
    return this.outlines.size;
  }

  /** Ends the streams of outlines: the fleet that they are read from is closed. Their readers resume by cursor. */
  endOutlines(): void {
    for (const { sink } of this.outlines) sink.end();
  }

  /** Ends the streams of sessions that were deleted. */
  drop(ids: Iterable<string>): void {
    this.snapshot = null;
    for (const id of ids) for (const reader of this.bySession.get(id) ?? []) reader.sink.end();
  }

  /** Ends the streams of the matching callers. */
  disconnectWhere(fits: (caller: Caller) => boolean): void {
    for (const { caller, sink } of this.open) if (caller && fits(caller)) sink.end();
  }

  /** Ends every stream. Readers that are still allowed resume by cursor. */
  disconnectAll(): void {
    for (const reader of this.open) reader.sink.end();
  }

  close(): void {
    clearInterval(this.beat);
    if (this.fleetTimer) clearTimeout(this.fleetTimer);
    this.disconnectAll();
  }

  /** Whether a reader with this cursor has had the end: it may have come with an event of another session. */
  isOver({ id, state, seq }: Folded, after: number): boolean {
    if (state !== 'ended' || after < seq) return false;
    return !this.log.hasAfter(id, after);
  }

  /**
   * Sends the snapshot and adds the reader in one tick, between two commits, so the snapshot contains everything in the log. It
   * carries the last seq as its id: a reader that disconnects before the next event resumes without a gap.
   */
  private join(reader: Reader): void {
    const { sink, sessionId } = reader;
    if (!reader.isOpen) return;
    const last = this.log.lastSeq();
    if (sessionId === null) {
      this.snapshot ??= stateFrame(this.loop.sessionIndex.current().map(shown), null);
      // Without a replay a cursor is useless, and a snapshot is recognised by having no id.
      if (reader.hooks) sink.write(idLine(last));
      this.watchRemote(reader);
      const others = reader.unwatch ? (this.remote?.sessions() ?? []) : [];
      reader.sendSnapshot(others.length > 0 ? this.wholeSnapshot(others) : this.snapshot);
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

  private wholeSnapshot(others: Session[]): Buffer {
    return stateFrame([...this.loop.sessionIndex.current().map(shown), ...others], null);
  }

  private watchRemote(reader: Reader): void {
    reader.unwatch?.();
    reader.unwatch = reader.isLocal ? null : (this.remote?.watch() ?? null);
  }

  private remove(reader: Reader): void {
    reader.dispose();
    this.open.delete(reader);
    this.everything.delete(reader);
    this.outlines.delete(reader);
    if (reader.sessionId === null) return;
    const readers = this.bySession.get(reader.sessionId);
    readers?.delete(reader);
    if (readers?.size === 0) this.bySession.delete(reader.sessionId);
  }

  /**
   * Sends sessions with a change that no event records. All readers have what is in the log, so its last seq is
   * their cursor.
   */
  publishMeasured(sessions: Folded[]): void {
    if (sessions.length === 0) return;
    this.snapshot = null;
    const last = this.log.lastSeq();
    if (this.everything.size > 0) {
      const frames = [stateFrame(sessions.map(shown), last)];
      for (const reader of this.everything) this.send(reader, frames);
    }
    for (const session of sessions)
      for (const reader of this.bySession.get(session.id) ?? [])
        this.send(reader, [stateFrame([shown(session)], last)]);
  }

  /** Sends sessions of other machines that have changed. */
  publishRemote(sessions: Session[]): void {
    const readers = [...this.everything].filter(({ isLocal }) => !isLocal);
    if (readers.length === 0) return;
    const frames = [stateFrame(sessions, this.log.lastSeq())];
    for (const reader of readers) this.send(reader, frames);
  }

  /** Sends the hosts of the fleet if they have changed. Debounced, because heartbeats are frequent. */
  publishFleet(): void {
    this.fleetTimer ??= setTimeout(() => {
      this.fleetTimer = null;
      const frame = fleetFrame(this.remote?.summary() ?? noFleet);
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

  /** Sends the changed states, then the hook, to the readers of all sessions. Only the last frame carries the id. */
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

  /** Sends the new state, the hook and the end of each session to its own readers. Only the last frame carries the id. */
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

  /** Ends a reader's stream. After `/clear` this is delayed: the next event of the process names the successor. */
  private finish(reader: Reader, session: Folded): void {
    if (session.reason !== 'clear' || session.next) {
      reader.sink.end(endFrame(session, session.seq));
      this.remove(reader);
      return;
    }
    reader.ending ??= setTimeout(() => {
      reader.ending = null;
      const now = this.loop.sessionIndex.get(session.id);
      if (now?.state === 'ended' && reader.isOpen) reader.sink.end(endFrame(now, now.seq));
    }, limits.stream.clearWait);
  }

  private send(reader: Reader, frames: Buffer[]): void {
    if (!reader.send(frames)) this.counts.cut++;
  }

  private keepAlive(): void {
    for (const reader of [...this.everything, ...this.outlines]) this.send(reader, [keepAlive]);
    for (const readers of this.bySession.values())
      for (const reader of readers) this.send(reader, [keepAlive]);
  }
}

const noFleet: FleetSummary = { connection: 'none', since: null, problem: null, hosts: [] };
