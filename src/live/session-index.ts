/** All known sessions in memory, with an overlay for the changes of a transaction, which is discarded if that fails. */
import { isDeepStrictEqual } from 'node:util';
import type { Sessions } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { idParts } from '../contract/origin.ts';
import { startsWithId } from '../contract/short-id.ts';
import { limits } from '../limits.ts';
import { copyOf } from '../session/copy.ts';
import { paneKey } from '../session/place.ts';

/** Changes of a transaction, on top of what is known. */
export type Overlay = ReturnType<SessionIndex['overlay']>;

export class SessionIndex implements Sessions {
  private readonly byId = new Map<string, Folded>();
  private readonly byPane: Index<string> = newIndex();
  private readonly byPid: Index<number> = newIndex();

  private readonly removeListeners: ((id: string) => void)[] = [];

  constructor(sessions: Iterable<Folded>) {
    for (const session of sessions) this.set(session);
  }

  get(id: string): Folded | undefined {
    return this.byId.get(id);
  }

  inPane(key: string): Folded | undefined {
    return newestAt(
      [this.byPane],
      key,
      id => this.byId.get(id),
      session => shows(session, key),
    );
  }

  /** Returns every session of a pane that may be shown there, including ended ones. */
  allInPane(key: string): Folded[] {
    return [...(this.byPane.ids.get(key) ?? [])]
      .flatMap(id => this.byId.get(id) ?? [])
      .filter(session => shows(session, key));
  }

  ofPid(pid: number): Folded | undefined {
    return newestAt(
      [this.byPid],
      pid,
      id => this.byId.get(id),
      session => runs(session, pid),
    );
  }

  all(): Folded[] {
    return [...this.byId.values()];
  }

  /** Counts the sessions of an origin. */
  countOf(origin: string): number {
    let count = 0;
    for (const id of this.byId.keys()) if (idParts(id).origin === origin) count++;
    return count;
  }

  live(): Folded[] {
    return this.all().filter(session => session.state !== 'ended');
  }

  /** Returns the sessions that lists show without being asked: live and parked ones. */
  current(): Folded[] {
    return this.all().filter(({ state, parked }) => state !== 'ended' || parked);
  }

  /**
   * Returns the sessions whose id starts with `prefix`, with or without dashes. Sessions of this machine win over those that
   * others report, so that nobody elsewhere can change what an id means here.
   */
  named(prefix: string): Folded[] {
    const exact = this.byId.get(prefix);
    if (exact) return [exact];
    const { own, origin } = idParts(prefix);
    const fit = this.all().filter(session => startsWithId(idParts(session.id).own, own));
    if (origin !== null) return fit.filter(session => session.origin?.startsWith(origin));
    const here = fit.filter(session => session.origin === null);
    return here.length > 0 ? here : fit;
  }

  /** Notes the measured memory, which no event records; returns the sessions for which it changed enough to be shown. */
  setMemory(measured: ReadonlyMap<string, number | null>): Folded[] {
    const changed: Folded[] = [];
    for (const [id, memoryBytes] of measured) {
      const session = this.byId.get(id);
      if (!session || !isNewMemory(session.memoryBytes, memoryBytes)) continue;
      const after = { ...session, memoryBytes };
      this.byId.set(id, after);
      changed.push(after);
    }
    return changed;
  }

  /** Notes what was counted of changed files, which no event records; returns the sessions for which it is new. */
  setChanges(counted: ReadonlyMap<string, Partial<Pick<Folded, 'changes' | 'collisions'>>>): Folded[] {
    const changed: Folded[] = [];
    for (const [id, fields] of counted) {
      const session = this.byId.get(id);
      if (!session) continue;
      const after = Object.assign(copyOf(session), fields);
      if (isDeepStrictEqual([session.changes, session.collisions], [after.changes, after.collisions]))
        continue;
      this.byId.set(id, after);
      changed.push(after);
    }
    return changed;
  }

  remove(id: string): void {
    const session = this.byId.get(id);
    if (!session) return;
    if (session.pane) drop(this.byPane, paneKey(session.pane), id, this.seqOf);
    if (session.pid !== null) drop(this.byPid, session.pid, id, this.seqOf);
    this.byId.delete(id);
    for (const listener of this.removeListeners) listener(id);
  }

  /** Calls back when a session is removed: it was forgotten, or its events are gone. */
  onRemove(listener: (id: string) => void): void {
    this.removeListeners.push(listener);
  }

  /** Returns a layer to fold into. Its changes are visible here only after `merge`. */
  overlay() {
    const layer = new Map<string, Folded>();
    const panes: Index<string> = newIndex();
    const pids: Index<number> = newIndex();
    const get = (id: string) => layer.get(id) ?? this.byId.get(id);
    return {
      get,
      inPane: (key: string) => newestAt([panes, this.byPane], key, get, session => shows(session, key)),
      ofPid: (pid: number) => newestAt([pids, this.byPid], pid, get, session => runs(session, pid)),
      /** Stores the new version and returns the old one. */
      put: (session: Folded): Folded | undefined => {
        const before = get(session.id);
        layer.set(session.id, session);
        const { id, pane, pid } = session;
        if (pane && mayShow(session)) note(panes, paneKey(pane), id);
        if (pid !== null && !session.next) note(pids, pid, id);
        return before;
      },
      changed: () => layer.values(),
      merge: () => {
        for (const session of layer.values()) this.set(session);
      },
    };
  }

  private readonly seqOf = (id: string): number => this.byId.get(id)?.seq ?? -1;

  private set(session: Folded): void {
    const { id, pane, pid, next } = session;
    const before = this.byId.get(id);
    this.byId.set(id, session);
    if (before?.pid !== undefined && before.pid !== null && (before.pid !== pid || next))
      drop(this.byPid, before.pid, id, this.seqOf);
    if (before?.pane && (before.pane !== pane || !mayShow(session)))
      drop(this.byPane, paneKey(before.pane), id, this.seqOf);
    if (pane && mayShow(session)) note(this.byPane, paneKey(pane), id, this.seqOf);
    if (pid !== null && !next) note(this.byPid, pid, id, this.seqOf);
  }
}

const isNewMemory = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : Math.abs(after - before) >= limits.memory.change;

/** The sessions that name a pane or a process. The newest one counts, so a rebuild finds the same one. */
interface Index<K> {
  ids: Map<K, Set<string>>;
  /** The newest of them: a pane may have had thousands. */
  newest: Map<K, string>;
}

const newIndex = <K>(): Index<K> => ({ ids: new Map(), newest: new Map() });

const note = <K>({ ids, newest }: Index<K>, key: K, id: string, seqOf?: (id: string) => number): void => {
  const known = ids.get(key);
  if (known) known.add(id);
  else ids.set(key, new Set([id]));
  const last = newest.get(key);
  if (last === undefined || !seqOf || seqOf(id) >= seqOf(last)) newest.set(key, id);
};

const drop = <K>({ ids, newest }: Index<K>, key: K, id: string, seqOf: (id: string) => number): void => {
  const rest = ids.get(key);
  rest?.delete(id);
  if (newest.get(key) !== id) return;
  newest.delete(key);
  for (const other of rest ?? []) if (seqOf(other) > seqOf(newest.get(key) ?? '')) newest.set(key, other);
};

/** Returns the newest session at a pane or process that fits. What an earlier index has is newer than what a later one has. */
const newestAt = <K>(
  indexes: Index<K>[],
  key: K,
  get: (id: string) => Folded | undefined,
  fits: (session: Folded) => boolean,
): Folded | undefined => {
  for (const { newest } of indexes) {
    const id = newest.get(key);
    const session = id === undefined ? undefined : get(id);
    if (session && fits(session)) return session;
    // It was the newest and is elsewhere now: any other may be the newest.
    if (id !== undefined) break;
  }
  let best: Folded | undefined;
  for (const { ids } of indexes)
    for (const id of ids.get(key) ?? []) {
      const session = get(id);
      if (session && fits(session) && (!best || session.seq > best.seq)) best = session;
    }
  return best;
};

const runs = ({ pid, next }: Folded, wanted: number): boolean => pid === wanted && !next;

/** Whether a pane shows this session. A headless session runs inside the pane of another. */
const shows = (session: Folded, key: string): boolean =>
  session.pane !== null && mayShow(session) && paneKey(session.pane) === key;

const mayShow = ({ headless, next }: Folded): boolean => !headless && !next;
