/** Every known session in memory, with an overlay that a failed transaction can be thrown away with. */
import type { Session } from '../contract/session.ts';
import type { Sessions } from '../session/fold.ts';
import { paneKey } from '../session/place.ts';

export class Roll implements Sessions {
  private readonly byId = new Map<string, Session>();
  private readonly byPane = new Map<string, string>();

  constructor(sessions: Iterable<Session>) {
    for (const session of [...sessions].sort((a, b) => a.seq - b.seq)) this.set(session);
  }

  get(id: string): Session | undefined {
    return this.byId.get(id);
  }

  inPane(key: string): Session | undefined {
    const id = this.byPane.get(key);
    return id === undefined ? undefined : this.byId.get(id);
  }

  all(): Session[] {
    return [...this.byId.values()];
  }

  live(): Session[] {
    return this.all().filter(session => session.state !== 'ended');
  }

  /** Sessions whose id begins with `prefix`, dashes or not. */
  named(prefix: string): Session[] {
    const wanted = bare(prefix);
    const exact = this.byId.get(prefix);
    return exact ? [exact] : this.all().filter(session => bare(session.id).startsWith(wanted));
  }

  remove(id: string): void {
    const pane = this.byId.get(id)?.pane;
    if (pane && this.byPane.get(paneKey(pane)) === id) this.byPane.delete(paneKey(pane));
    this.byId.delete(id);
  }

  /** A layer to fold into; nothing of it is seen here before `settle`. */
  overlay() {
    const layer = new Map<string, Session>();
    const panes = new Map<string, string>();
    return {
      get: (id: string) => layer.get(id) ?? this.byId.get(id),
      inPane: (key: string) => {
        const id = panes.get(key) ?? this.byPane.get(key);
        return id === undefined ? undefined : (layer.get(id) ?? this.byId.get(id));
      },
      /** Puts the new form in and returns the old one. */
      put: (session: Session): Session | undefined => {
        const before = layer.get(session.id) ?? this.byId.get(session.id);
        layer.set(session.id, session);
        if (session.pane && !session.headless && !session.next) panes.set(paneKey(session.pane), session.id);
        return before;
      },
      changed: () => layer.values(),
      settle: () => {
        for (const session of layer.values()) this.byId.set(session.id, session);
        for (const [key, id] of panes) this.byPane.set(key, id);
      },
    };
  }

  private set(session: Session): void {
    this.byId.set(session.id, session);
    if (session.pane && !session.headless && !session.next)
      this.byPane.set(paneKey(session.pane), session.id);
  }
}

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();
