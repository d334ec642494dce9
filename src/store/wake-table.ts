/** The outbox of wakes, kept after delivery so that none is sent twice, and the last captures of panes. */
import type { Wake } from '../contract/wake.ts';
import { objectOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export class WakeTable {
  private readonly put: Statement;
  private readonly change: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR IGNORE INTO wake VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.change = db.prepare('UPDATE wake SET open = ?, body = ? WHERE id = ?');
  }

  /** Adds inside the caller's transaction; false when this agent already has this wake, or is about to get it. */
  add(wake: Wake): boolean {
    const { id, agent, sessionId, trigger, key, at } = wake;
    const { changes } = this.put.run(
      id,
      agent,
      sessionId,
      trigger,
      key,
      at,
      isOpen(wake),
      JSON.stringify(wake),
    );
    return Number(changes) === 1;
  }

  /** Whether this agent already has this wake, or is about to get it. */
  has(agent: string, sessionId: string, trigger: string, key: string): boolean {
    const query = 'SELECT 1 FROM wake WHERE agent = ? AND session_id = ? AND kind = ? AND key = ?';
    return this.db.prepare(query).get(agent, sessionId, trigger, key) !== undefined;
  }

  save(wake: Wake): void {
    this.change.run(isOpen(wake), JSON.stringify(wake), wake.id);
  }

  remove(id: string): void {
    this.db.prepare('DELETE FROM wake WHERE id = ?').run(id);
  }

  /** Wakes that are still open, oldest first. */
  open(): Wake[] {
    return this.all('SELECT id, body FROM wake WHERE open = 1 ORDER BY at, rowid');
  }

  /** The newest wakes, oldest first. */
  newest(limit: number, agent: string | null, sessionId: string | null): Wake[] {
    return this.all(
      'SELECT id, body FROM wake WHERE (?1 IS NULL OR agent = ?1) AND (?2 IS NULL OR session_id = ?2) ORDER BY at DESC, rowid DESC LIMIT ?3',
      agent,
      sessionId,
      limit,
    ).toReversed();
  }

  /** How many of each agent's wakes could not be delivered, and how many were outdated. */
  undelivered(): Map<string, { dead: number; dropped: number }> {
    const query = `SELECT agent, count(*) FILTER (WHERE status = 'dead') AS dead,
        count(*) FILTER (WHERE status = 'dropped') AS dropped
      FROM (SELECT agent, json_extract(body, '$.status') AS status FROM wake WHERE open = 0 AND json_valid(body)) GROUP BY agent`;
    const rows = this.db.prepare(query).all() as { agent: string; dead: number; dropped: number }[];
    return new Map(
      rows.map(({ agent, dead, dropped }) => [agent, { dead: Number(dead), dropped: Number(dropped) }]),
    );
  }

  /** Replaces the last capture of a session's pane, and returns it. */
  exchangeCapture(sessionId: string, text: string): string | null {
    const before = this.db.prepare('SELECT text FROM capture WHERE session_id = ?').get(sessionId);
    this.db.prepare('INSERT OR REPLACE INTO capture VALUES (?, ?)').run(sessionId, text);
    return (before as { text: string } | undefined)?.text ?? null;
  }

  dropCapture(sessionId: string): void {
    this.db.prepare('DELETE FROM capture WHERE session_id = ?').run(sessionId);
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM wake WHERE session_id = ?').run(sessionId);
    this.dropCapture(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM wake WHERE at < ? AND open = 0').run(time);
  }

  private all(query: string, ...values: (string | number | null)[]): Wake[] {
    const rows = this.db.prepare(query).all(...values) as { id: string; body: string }[];
    return rows.flatMap(({ id, body }) => this.unreadable.attempt('wake', id, () => readWake(body)) ?? []);
  }
}

/** Earlier versions called the bundle a parcel. */
const readWake = (body: string): Wake => {
  const { parcel = null, ...wake } = objectOf(body) as unknown as Wake & { parcel?: string | null };
  return { ...wake, bundle: wake.bundle ?? parcel };
};

const open = new Set<Wake['status']>(['pending', 'withheld', 'sending']);

const isOpen = ({ status }: Wake): number => (open.has(status) ? 1 : 0);
