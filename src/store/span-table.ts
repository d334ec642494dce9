/** Every span that is over, for the timeline. Like the waits it holds no word that anybody said. */
import type { Span } from '../session/span.ts';
import type { Database, Statement } from './sqlite.ts';

export class SpanTable {
  private readonly put: Statement;

  constructor(private readonly db: Database) {
    this.put = db.prepare('INSERT OR REPLACE INTO span VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. A span is known by session and beginning: told twice, it is there once. */
  add({ sessionId, since, until, state, reason, project }: Span): void {
    this.put.run(sessionId, since, until, state, reason, project);
  }

  /** The spans that were over at `from` or later, in order of time. */
  read(from: number): Span[] {
    const query =
      'SELECT session_id AS sessionId, since, until, state, reason, project FROM span WHERE until >= ? ORDER BY since';
    return this.db.prepare(query).all(from) as Span[];
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM span WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM span WHERE until < ?').run(time);
  }
}
