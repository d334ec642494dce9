/** Changes of files by sessions, one row for each change. Derived from the log, but kept when old events are cut. */
import { integer, maybeInteger, textOf, timeOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export interface ChangeRow {
  seq: number;
  path: string;
  sessionId: string;
  at: number;
  /** The event of the prompt of its turn. */
  turn: number | null;
  tool: string;
  isNew: boolean;
  added: number;
  removed: number;
  /** Hunks as in a unified diff; null when they are not known. */
  patch: string | null;
  isCut: boolean;
}

/** The tool of changes that were inferred. */
export const inferredTool = 'shell';

export interface SessionCounts {
  sessionId: string;
  files: number;
  added: number;
  removed: number;
}

export class ChangeTable {
  private readonly put: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. A change is identified by its event and path, so a duplicate is ignored. */
  add(row: ChangeRow): void {
    const { seq, path, sessionId, at, turn, tool, isNew, added, removed, patch, isCut } = row;
    const bytes = patch?.length ?? 0;
    this.put.run(seq, path, sessionId, at, turn, tool, +isNew, added, removed, bytes, +isCut, patch);
  }

  /** Returns the newest changes of a session, oldest first; their patches only `withPatches`. */
  read(sessionId: string, limit: number, withPatches: boolean): ChangeRow[] {
    const query = `SELECT ${columns}, ${withPatches ? 'patch' : 'NULL AS patch'} FROM change
      WHERE session_id = ? ORDER BY seq DESC LIMIT ?`;
    const rows = this.db.prepare(query).all(sessionId, limit) as unknown as Row[];
    return rows
      .flatMap(row => this.unreadable.attempt('change', `${row.seq}`, () => rowOf(row, sessionId)) ?? [])
      .reverse();
  }

  /** Counts the changed files and lines of one session, or of each. */
  counts(sessionId?: string): SessionCounts[] {
    const where = sessionId === undefined ? '' : 'WHERE session_id = ?';
    const query = `SELECT session_id AS sessionId, count(DISTINCT path) AS files, sum(added) AS added, sum(removed) AS removed
      FROM change ${where} GROUP BY session_id`;
    return this.db.prepare(query).all(...(sessionId === undefined ? [] : [sessionId]));
  }

  /** Returns when tools of each session last changed each file, since a time. */
  recent(since: number): { path: string; sessionId: string; at: number }[] {
    const query = `SELECT path, session_id AS sessionId, max(at) AS at FROM change
      WHERE at >= ? AND tool <> '${inferredTool}' GROUP BY path, session_id`;
    return this.db.prepare(query).all(since);
  }

  /** Whether a tool of a session changed a file between two times. */
  isByTool(path: string, from: number, to: number): boolean {
    const query = `SELECT 1 FROM change WHERE path = ? AND at BETWEEN ? AND ? AND tool <> '${inferredTool}' LIMIT 1`;
    return this.db.prepare(query).get(path, from, to) !== undefined;
  }

  /** Notes that two sessions collide; false when that was noted since `since`. */
  noteCollision(path: string, one: string, other: string, at: number, since: number): boolean {
    const [first, second] = [one, other].sort() as [string, string];
    const known = this.db
      .prepare('SELECT 1 FROM collision WHERE path = ? AND one = ? AND other = ? AND at >= ?')
      .get(path, first, second, since);
    this.db.prepare('INSERT OR REPLACE INTO collision VALUES (?, ?, ?, ?)').run(path, first, second, at);
    return known === undefined;
  }

  /** Drops the oldest patches of a session, or of all, until the rest fits into `bytes`. Counts stay. */
  trim(maxBytes: number, sessionId?: string): void {
    const of = sessionId === undefined ? '' : 'AND session_id = ?';
    const values = sessionId === undefined ? [] : [sessionId];
    const sum = this.db
      .prepare(`SELECT coalesce(sum(bytes), 0) AS bytes FROM change WHERE bytes > 0 ${of}`)
      .get(...values) as { bytes: number };
    let over = sum.bytes - maxBytes;
    if (over <= 0) return;
    const rows = this.db
      .prepare(`SELECT rowid AS id, bytes FROM change WHERE bytes > 0 ${of} ORDER BY seq LIMIT ${trimRows}`)
      .all(...values) as unknown as { id: number; bytes: number }[];
    const drop = this.db.prepare('UPDATE change SET patch = NULL, bytes = 0, is_cut = 1 WHERE rowid = ?');
    for (const { id, bytes } of rows) {
      if (over <= 0) return;
      drop.run(id);
      over -= bytes;
    }
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM change WHERE session_id = ?').run(sessionId);
    this.db.prepare('DELETE FROM collision WHERE one = ? OR other = ?').run(sessionId, sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM change WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM collision WHERE at < ?').run(time);
  }
}

/** Patches dropped at once; the rest follows with the next call. */
const trimRows = 1_000;

const columns = `${integer('seq')}, path, ${integer('at')}, ${maybeInteger('turn')}, tool, is_new, ${integer('added')},
  ${integer('removed')}, is_cut`;

interface Row {
  seq: number;
  path: string;
  at: number;
  turn: number | null;
  tool: string;
  is_new: number;
  added: number;
  removed: number;
  is_cut: number;
  patch: string | null;
}

const rowOf = (row: Row, sessionId: string): ChangeRow => ({
  seq: row.seq,
  path: textOf(row.path),
  sessionId,
  at: timeOf(row.at),
  turn: row.turn,
  tool: textOf(row.tool),
  isNew: row.is_new === 1,
  added: row.added,
  removed: row.removed,
  patch: row.patch === null ? null : textOf(row.patch),
  isCut: row.is_cut === 1,
});
