/** Every wait that is over. Kept longer than the events that told of it: it holds no word that anybody said. */
import type { Wait } from '../session/wait.ts';
import type { Database, Statement } from './sqlite.ts';

export class WaitTable {
  private readonly put: Statement;

  constructor(private readonly db: Database) {
    this.put = db.prepare('INSERT OR REPLACE INTO wait VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. A wait is known by session and beginning: told twice, it is there once. */
  add({ sessionId, since, until, reason, project, answered }: Wait): void {
    this.put.run(sessionId, since, until, reason, project, answered ? 1 : 0);
  }

  /** The waits that were over at `from` or later. */
  read(from: number): Wait[] {
    const query =
      'SELECT session_id AS sessionId, since, until, reason, project, answered FROM wait WHERE until >= ?';
    const rows = this.db.prepare(query).all(from) as (Omit<Wait, 'answered'> & { answered: number })[];
    return rows.map(row => ({ ...row, answered: row.answered === 1 }));
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM wait WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM wait WHERE until < ?').run(time);
  }
}
