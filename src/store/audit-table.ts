/**
 * All actions, append-only. A row is written with its event and outlives it. When the event is removed, by retention or by
 * `forget`, the texts of the row are removed too; time, caller, action, tool and result stay.
 */
import type { AuditCaller, AuditEntry } from '../contract/audit.ts';
import { programKinds } from '../contract/caller.ts';
import { actionName } from '../session/action.ts';
import { integer, maybeInteger, textOf, timeOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export interface AuditQuery {
  /** Actions on this session, and those from inside it. */
  sessionId?: string | undefined;
  since: number;
  /** Only entries before this number. */
  before: number;
  rows: number;
}

export class AuditTable {
  private readonly insert: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.insert = db.prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Adds inside the caller's transaction. */
  add({ seq, at, action, sessionId, caller, request, result, text, message }: AuditEntry): void {
    this.insert.run(
      seq,
      at,
      action,
      sessionId,
      caller.kind,
      caller.name,
      caller.session,
      request?.id ?? null,
      request?.tool ?? null,
      request?.hash ?? null,
      result,
      text,
      message,
    );
  }

  /** Returns the newest matching entries, oldest first. */
  read({ sessionId, since, before, rows }: AuditQuery): AuditEntry[] {
    const session = sessionId === undefined ? '' : 'AND (session_id = ? OR caller_session = ?)';
    const values = sessionId === undefined ? [] : [sessionId, sessionId];
    const query = `SELECT ${columns} FROM audit WHERE at >= ? AND seq < ? ${session} ORDER BY seq DESC LIMIT ?`;
    const found = this.db.prepare(query).all(since, before, ...values, rows) as unknown as Row[];
    return found
      .flatMap(row => this.unreadable.attempt('audit', row.seq, () => entryOf(row)) ?? [])
      .toReversed();
  }

  /** Returns the sessions in the audit whose id has this prefix, including deleted ones. */
  named(prefix: string): string[] {
    const query =
      "SELECT DISTINCT session_id AS id FROM audit WHERE replace(session_id, '-', '') LIKE ? || '%' LIMIT 6";
    const rows = this.db.prepare(query).all(prefix.replaceAll('-', '').toLowerCase()) as { id: string }[];
    return rows.map(({ id }) => id);
  }

  /** Returns the sessions from which this one was started or resumed. */
  startersOf(id: string): string[] {
    const query = `SELECT DISTINCT caller_session AS starter FROM audit
      WHERE session_id = ? AND caller_session IS NOT NULL AND (action = 'create' OR (action = 'resume' AND result = 'ok'))`;
    const rows = this.db.prepare(query).all(id) as { starter: string }[];
    return rows.map(({ starter }) => starter);
  }

  /** Removes the texts of entries whose event is no longer in the log. */
  clearTextsOfRemoved(): void {
    this.db
      .prepare(
        `UPDATE audit SET hash = NULL, text = NULL, message = NULL
         WHERE (hash IS NOT NULL OR text IS NOT NULL OR message IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM event WHERE event.seq = audit.seq AND event.name = ?)`,
      )
      .run(actionName);
  }

  /** Removes entries that are too old, the oldest of a program above its count, and the oldest of all. */
  removeOld(before: number, rows: number, callerRows: number): void {
    this.db.prepare('DELETE FROM audit WHERE at < ?').run(before);
    const over = `SELECT caller, caller_name AS name FROM audit WHERE caller IN (${programs})
      GROUP BY caller, caller_name HAVING count(*) > ?`;
    for (const { caller, name } of this.db.prepare(over).all(callerRows) as Over[])
      this.db
        .prepare(
          `DELETE FROM audit WHERE caller = ?1 AND caller_name IS ?2 AND seq <=
           (SELECT seq FROM audit WHERE caller = ?1 AND caller_name IS ?2 ORDER BY seq DESC LIMIT 1 OFFSET ?3)`,
        )
        .run(caller, name, callerRows);
    this.db
      .prepare('DELETE FROM audit WHERE seq <= (SELECT seq FROM audit ORDER BY seq DESC LIMIT 1 OFFSET ?)')
      .run(rows);
  }
}

interface Over {
  caller: string;
  name: string | null;
}

const programs = programKinds.map(kind => `'${kind}'`).join(', ');

const columns = `${integer('seq')}, ${integer('at')}, action, session_id, caller, caller_name, caller_session,
  ${maybeInteger('request')}, tool, hash, result, text, message`;

interface Row {
  seq: number;
  at: number;
  action: string;
  session_id: string | null;
  caller: AuditCaller['kind'];
  caller_name: string | null;
  caller_session: string | null;
  request: number | null;
  tool: string | null;
  hash: string | null;
  result: string;
  text: string | null;
  message: string | null;
}

const entryOf = (row: Row): AuditEntry => ({
  seq: row.seq,
  at: timeOf(row.at),
  action: textOf(row.action),
  sessionId: row.session_id,
  caller: { kind: row.caller, name: row.caller_name, session: row.caller_session },
  request: row.request === null ? null : { id: row.request, tool: row.tool, hash: row.hash },
  result: row.result,
  text: row.text,
  message: row.message,
});
