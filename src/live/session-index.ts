/** Every known session in memory, with an overlay that a failed transaction can be thrown away with. */
import type { Sessions } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { idParts } from '../contract/origin.ts';
import { paneKey } from '../session/place.ts';

export class SessionIndex implements Sessions {
  private readonly byId = new Map<string, Folded>();
  private readonly byPane: Index<string> = new Map();
  private readonly byPid: Index<number> = new Map();

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

  /** Every session that names a pane and may be shown there, ended ones too. */
  tenants(key: string): Folded[] {
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

  live(): Folded[] {
    return this.all().filter(session => session.state !== 'ended');
  }

  /**
   * Sessions whose id begins with `prefix`, dashes or not. Those of this machine go before what others report, so that nobody
   * elsewhere can make an id mean another session, or none.
   */
  named(prefix: string): Folded[] {
    const exact = this.byId.get(prefix);
    if (exact) return [exact];
    const { own, origin } = idParts(prefix);
    const wanted = bare(own);
    const fit = this.all().filter(session => bare(idParts(session.id).own).startsWith(wanted));
    if (origin !== null) return fit.filter(session => session.origin?.startsWith(origin));
    const here = fit.filter(session => session.origin === null);
    return here.length > 0 ? here : fit;
  }

  remove(id: string): void {
    const session = this.byId.get(id);
    if (!session) return;
    if (session.pane) this.byPane.get(paneKey(session.pane))?.delete(id);
    if (session.pid !== null) this.byPid.get(session.pid)?.delete(id);
    this.byId.delete(id);
  }

  /** A layer to fold into; nothing of it is seen here before `settle`. */
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
      /** Puts the new form in and returns the old one. */
      put: (session: Folded): Folded | undefined => {
        const before = get(session.id);
        layer.set(session.id, session);
        const { id, pane, pid } = session;
        if (pane && pane !== before?.pane) note(panes, paneKey(pane), id);
        if (pid !== null && pid !== before?.pid) note(pids, pid, id);
        return before;
      },
      changed: () => layer.values(),
      settle: () => {
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

/** Which sessions name a pane or a process. The newest that still holds it has it, so a rebuild finds the same one. */
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

/** The session is the one that its pane shows: a headless one runs inside another's pane. */
const shows = ({ pane, headless, next }: Folded, key: string): boolean =>
  pane !== null && !headless && !next && paneKey(pane) === key;

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();
