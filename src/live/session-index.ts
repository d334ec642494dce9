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
  private readonly byPane: Index<string> = new Map();
  private readonly byPid: Index<number> = new Map();

  private readonly removeListeners: ((id: string) => void)[] = [];

  constructor(sessions: Iterable<Folded>) {
    for (const session of sessions) this.set(session);
  }

  get(id: string): Folded | undefined {
    return this.byId.get(id);
  }

  inPane(key: string): Folded | undefined {
    return newest(
      [this.byPane.get(key)],
      id => this.byId.get(id),
      session => shows(session, key),
    );
  }

  /** Returns every session of a pane that may be shown there, including ended ones. */
  allInPane(key: string): Folded[] {
    return [...(this.byPane.get(key) ?? [])]
      .flatMap(id => this.byId.get(id) ?? [])
      .filter(session => shows(session, key));
  }

  ofPid(pid: number): Folded | undefined {
    return newest(
      [this.byPid.get(pid)],
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
    if (session.pane) this.byPane.get(paneKey(session.pane))?.delete(id);
    if (session.pid !== null) this.byPid.get(session.pid)?.delete(id);
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
    const panes: Index<string> = new Map();
    const pids: Index<number> = new Map();
    const get = (id: string) => layer.get(id) ?? this.byId.get(id);
    return {
      get,
      inPane: (key: string) =>
        newest([panes.get(key), this.byPane.get(key)], get, session => shows(session, key)),
      ofPid: (pid: number) =>
        newest([pids.get(pid), this.byPid.get(pid)], get, session => runs(session, pid)),
      /** Stores the new version and returns the old one. */
      put: (session: Folded): Folded | undefined => {
        const before = get(session.id);
        layer.set(session.id, session);
        const { id, pane, pid } = session;
        if (pane && pane !== before?.pane) note(panes, paneKey(pane), id);
        if (pid !== null && pid !== before?.pid) note(pids, pid, id);
        return before;
      },
      changed: () => layer.values(),
      merge: () => {
        for (const session of layer.values()) this.set(session);
      },
    };
  }

  private set(session: Folded): void {
    const { id, pane, pid } = session;
    const before = this.byId.get(id);
    if (before?.pid !== undefined && before.pid !== null && before.pid !== pid)
      this.byPid.get(before.pid)?.delete(id);
    if (before?.pane && before.pane !== pane) this.byPane.get(paneKey(before.pane))?.delete(id);
    this.byId.set(id, session);
    if (pane) note(this.byPane, paneKey(pane), id);
    if (pid !== null) note(this.byPid, pid, id);
  }
}

const isNewMemory = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : Math.abs(after - before) >= limits.memory.change;

/** The sessions that name a pane or a process. The newest one counts, so a rebuild finds the same one. */
type Index<K> = Map<K, Set<string>>;

const note = <K>(index: Index<K>, key: K, id: string): void => {
  const ids = index.get(key);
  if (ids) ids.add(id);
  else index.set(key, new Set([id]));
};

const newest = (
  named: (Set<string> | undefined)[],
  get: (id: string) => Folded | undefined,
  fits: (session: Folded) => boolean,
): Folded | undefined => {
  let best: Folded | undefined;
  for (const ids of named)
    for (const id of ids ?? []) {
      const session = get(id);
      if (session && fits(session) && (!best || session.seq > best.seq)) best = session;
    }
  return best;
};

const runs = ({ pid, next }: Folded, wanted: number): boolean => pid === wanted && !next;

/** Whether a pane shows this session. A headless session runs inside the pane of another. */
const shows = ({ pane, headless, next }: Folded, key: string): boolean =>
  pane !== null && !headless && !next && paneKey(pane) === key;
