/** All ended spans, for the timeline. Like the waits they contain no text of a conversation. */
import type { Span } from '../session/history/span.ts';
import { integer, textOf, timeOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export class SpanTable {
  private readonly put: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR REPLACE INTO span VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. A span is identified by session and start, so a duplicate is ignored. */
  add({ sessionId, since, until, state, reason, project }: Span): void {
    this.put.run(sessionId, since, until, state, reason, project);
  }

  /** Returns the spans that ended at `from` or later, in order of time. */
  read(from: number): Span[] {
    const query = `SELECT session_id AS sessionId, ${integer('since')}, ${integer('until')}, state, reason, project
      FROM span WHERE until >= ? ORDER BY since`;
    const rows = this.db.prepare(query).all(from) as Span[];
    return rows.filter(row =>
      this.unreadable.attempt('span', `${row.sessionId} ${row.since}`, () => isWhole(row)),
    );
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM span WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM span WHERE until < ?').run(time);
  }
}

/** Throws for a row that is not a span. */
const isWhole = ({ sessionId, since, until, state, reason, project }: Span): true => {
  for (const value of [sessionId, state, reason ?? '', project ?? '']) textOf(value);
  for (const time of [since, until]) timeOf(time);
  return true;
};
