/** The folded state of every session, saved so that a start needs no rebuild. Deleting it loses nothing. */
import { integer, objectOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export class SessionTable<T extends { id: string; state: string }> {
  private readonly put: Statement;
  private readonly folded: Statement;

  constructor(
    private readonly db: Database,
    /** The shape of the saved state. State of another shape is not read, but folded again from the log. */
    private readonly shape: number,
    private readonly isWhole: (saved: object) => saved is T,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?)');
    this.folded = db.prepare("UPDATE tally SET value = ? WHERE name = 'folded'");
  }

  /** Saves inside the caller's transaction; `seq` is the last event folded in. */
  save(sessions: Iterable<T>, seq: number): void {
    for (const session of sessions)
      this.put.run(session.id, session.state === 'ended' ? 0 : 1, JSON.stringify(session));
    this.folded.run(seq);
  }

  load(): { sessions: T[]; folded: number } {
    if (this.tally('shape') !== this.shape) return this.empty();
    const rows = this.db.prepare('SELECT id, body FROM session').all() as { id: string; body: string }[];
    const sessions = rows.map(row => this.sessionOf(row));
    // A session that cannot be read is still in the log: all of them are folded again.
    if (sessions.includes(null)) return this.empty();
    return { sessions: sessions as T[], folded: this.tally('folded') };
  }

  remove(id: string): void {
    this.db.prepare('DELETE FROM session WHERE id = ?').run(id);
  }

  private sessionOf({ id, body }: { id: string; body: string }): T | null {
    return this.unreadable.attempt('session', id, () => {
      const saved = objectOf(body);
      if (this.isWhole(saved)) return saved;
      throw new TypeError('expected a session');
    });
  }

  private empty(): { sessions: T[]; folded: number } {
    this.db.exec('DELETE FROM session');
    this.folded.run(0);
    this.db.prepare("INSERT OR REPLACE INTO tally VALUES ('shape', ?)").run(this.shape);
    return { sessions: [], folded: 0 };
  }

  private tally(name: string): number {
    const row = this.db.prepare(`SELECT ${integer('value')} FROM tally WHERE name = ?`).get(name) as
      | { value: number }
      | undefined;
    return Number(row?.value ?? 0);
  }
}
