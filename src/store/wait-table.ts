/** All ended waits. They are kept longer than their events, because they contain no text of a conversation. */
import type { Wait } from '../session/history/wait.ts';
import { integer, textOf, timeOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export class WaitTable {
  private readonly put: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR REPLACE INTO wait VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. A wait is identified by session and start, so a duplicate is ignored. */
  add({ sessionId, since, until, reason, project, answered }: Wait): void {
    this.put.run(sessionId, since, until, reason, project, answered ? 1 : 0);
  }

  /** Returns the waits that ended at `from` or later. */
  read(from: number): Wait[] {
    const query = `SELECT session_id AS sessionId, ${integer('since')}, ${integer('until')}, reason, project,
        answered = 1 AS answered FROM wait WHERE until >= ?`;
    const rows = this.db.prepare(query).all(from) as (Omit<Wait, 'answered'> & { answered: number })[];
    return rows.flatMap(
      row => this.unreadable.attempt('wait', `${row.sessionId} ${row.since}`, () => waitOf(row)) ?? [],
    );
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM wait WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM wait WHERE until < ?').run(time);
  }
}

const waitOf = ({ answered, ...wait }: Omit<Wait, 'answered'> & { answered: number }): Wait => {
  for (const value of [wait.sessionId, wait.reason, wait.project ?? '']) textOf(value);
  for (const time of [wait.since, wait.until]) timeOf(time);
  return { ...wait, answered: answered === 1 };
};
