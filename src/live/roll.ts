/** Every known session in memory, with an overlay that a failed transaction can be thrown away with. */
import type { Sessions } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { paneKey } from '../session/place.ts';

export class Roll implements Sessions {
  private readonly byId = new Map<string, Folded>();
  private readonly byPane = new Map<string, string>();
  private readonly byPid = new Map<number, string>();

  constructor(sessions: Iterable<Folded>) {
    for (const session of [...sessions].sort((a, b) => a.seq - b.seq)) this.set(session);
  }

  get(id: string): Folded | undefined {
    return this.byId.get(id);
  }

  inPane(key: string): Folded | undefined {
    const id = this.byPane.get(key);
    return id === undefined ? undefined : this.byId.get(id);
  }

  ofPid(pid: number): Folded | undefined {
    const id = this.byPid.get(pid);
    return id === undefined ? undefined : this.byId.get(id);
  }

  all(): Folded[] {
    return [...this.byId.values()];
  }

  live(): Folded[] {
    return this.all().filter(session => session.state !== 'ended');
  }

  /** Sessions whose id begins with `prefix`, dashes or not. */
  named(prefix: string): Folded[] {
    const wanted = bare(prefix);
    const exact = this.byId.get(prefix);
    return exact ? [exact] : this.all().filter(session => bare(session.id).startsWith(wanted));
  }

  remove(id: string): void {
    const session = this.byId.get(id);
    if (!session) return;
    if (session.pane && this.byPane.get(paneKey(session.pane)) === id)
      this.byPane.delete(paneKey(session.pane));
    if (session.pid !== null && this.byPid.get(session.pid) === id) this.byPid.delete(session.pid);
    this.byId.delete(id);
  }

  /** A layer to fold into; nothing of it is seen here before `settle`. */
  overlay() {
    const layer = new Map<string, Folded>();
    const panes = new Map<string, string>();
    const pids = new Map<number, string>();
    const get = (id: string) => layer.get(id) ?? this.byId.get(id);
    const by = <K>(own: Map<K, string>, below: Map<K, string>, key: K) => {
      const id = own.get(key) ?? below.get(key);
      return id === undefined ? undefined : get(id);
    };
    return {
      get,
      inPane: (key: string) => by(panes, this.byPane, key),
      ofPid: (pid: number) => by(pids, this.byPid, pid),
      /** Puts the new form in and returns the old one. */
      put: (session: Folded): Folded | undefined => {
        const before = get(session.id);
        layer.set(session.id, session);
        if (owns(session)) panes.set(paneKey(session.pane), session.id);
        if (session.pid !== null && !session.next) pids.set(session.pid, session.id);
        return before;
      },
      changed: () => layer.values(),
      settle: () => {
        for (const session of layer.values()) this.byId.set(session.id, session);
        for (const [key, id] of panes) this.byPane.set(key, id);
        for (const [pid, id] of pids) this.byPid.set(pid, id);
      },
    };
  }

  private set(session: Folded): void {
    this.byId.set(session.id, session);
    if (owns(session)) this.byPane.set(paneKey(session.pane), session.id);
    if (session.pid !== null && !session.next) this.byPid.set(session.pid, session.id);
  }
}

/** The session is the one that its pane shows: a headless one runs inside another's pane. */
const owns = (session: Folded): session is Folded & { pane: NonNullable<Folded['pane']> } =>
  session.pane !== null && !session.headless && !session.next;

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();
