/** The append-only log. Rows leave it only by retention and by `forget`. */
import type { Context, Draft, Event, Source } from '../contract/event.ts';
import { actionName } from '../session/action.ts';
import type { Database, Statement } from './sqlite.ts';

export interface Range {
  after: number;
  sessionId?: string | undefined;
  rows: number;
  bytes?: number;
}

/** A row without its payload. */
export interface Outline {
  seq: number;
  seen: number;
  source: Source;
  name: string;
  sessionId: string | null;
  bytes: number;
}

export class Log {
  private readonly insert: Statement;
  private readonly all: Statement;
  private readonly one: Statement;
  private readonly count: Statement;
  private readonly takeKey: Statement;
  private readonly dropKey: Statement;

  constructor(private readonly db: Database) {
    this.insert = db.prepare(
      'INSERT INTO event (at, seen, source, name, session_id, context, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.all = db.prepare('SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ?');
    this.one = db.prepare('SELECT * FROM event WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?');
    this.count = db.prepare('UPDATE tally SET value = value + ? WHERE name = ?');
    this.takeKey = db.prepare('INSERT OR IGNORE INTO taken VALUES (?, ?)');
    this.dropKey = db.prepare('DELETE FROM taken WHERE key = ?');
  }

  /** Appends inside the caller's transaction. */
  append(draft: Draft, seen: number): Event {
    const { at, source, name, sessionId, context, raw } = draft;
    const body = Object.keys(context).length ? JSON.stringify(context) : null;
    const { lastInsertRowid } = this.insert.run(at, seen, source, name, sessionId, body, raw);
    return { ...draft, seq: Number(lastInsertRowid), seen };
  }

  /** Counts what a transaction appended (or, negative, removed). */
  tally(events: number, bytes: number): void {
    this.count.run(events, 'events');
    this.count.run(bytes, 'bytes');
  }

  /** Marks a delivery as taken; false when it had been taken before. */
  take(key: string, seen: number): boolean {
    return Number(this.takeKey.run(key, seen).changes) === 1;
  }

  /** Forgets a delivery that can no longer come again. */
  release(key: string): void {
    this.dropKey.run(key);
  }

  /** Every delivery that may still come again. */
  takenKeys(): { key: string; seen: number }[] {
    return this.db.prepare('SELECT key, seen FROM taken').all() as { key: string; seen: number }[];
  }

  /** One event by its number; null when it is no longer there. */
  at(seq: number): Event | null {
    const [row] = this.all.all(seq - 1, 1) as Row[];
    return row?.seq === seq ? eventOf(row) : null;
  }

  /** Events after a cursor, oldest first, bounded in rows and bytes (at least one row). */
  read({ after, sessionId, rows, bytes = Number.POSITIVE_INFINITY }: Range): Event[] {
    const query =
      sessionId === undefined ? this.all.iterate(after, rows) : this.one.iterate(sessionId, after, rows);
    const events: Event[] = [];
    let size = 0;
    for (const row of query as Iterable<Row>) {
      events.push(eventOf(row));
      size += row.raw.length;
      if (size >= bytes) break;
    }
    return events;
  }

  /** Whether a session has events after a cursor. Actions do not count: they are not part of what it did. */
  hasAfter(sessionId: string, after: number): boolean {
    const query =
      "SELECT 1 FROM event WHERE session_id = ? AND seq > ? AND NOT (source = 'drover' AND name = ?) LIMIT 1";
    return this.db.prepare(query).get(sessionId, after, actionName) !== undefined;
  }

  /** The events of one name in a session, newest first. */
  *backwards(sessionId: string, name: string): Generator<Event> {
    const query = 'SELECT * FROM event WHERE session_id = ? AND name = ? ORDER BY seq DESC';
    for (const row of this.db.prepare(query).iterate(sessionId, name) as Iterable<Row>) yield eventOf(row);
  }

  /** The cursor behind which the newest `rows` events stand. */
  before(rows: number, sessionId?: string): number {
    const query =
      sessionId === undefined
        ? this.db.prepare('SELECT seq FROM event ORDER BY seq DESC LIMIT 1 OFFSET ?').get(rows)
        : this.db
            .prepare('SELECT seq FROM event WHERE session_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?')
            .get(sessionId, rows);
    return Number((query as { seq: number } | undefined)?.seq ?? 0);
  }

  /** The oldest rows after a cursor, without their payloads. */
  oldest(after: number, rows: number): Outline[] {
    const query =
      'SELECT seq, seen, source, name, session_id AS sessionId, length(raw) AS bytes FROM event WHERE seq > ? ORDER BY seq LIMIT ?';
    return this.db.prepare(query).all(after, rows);
  }

  /** Removes a session's rows up to and with `upTo` (of all ages when not given); returns rows and bytes that went. */
  removeOf(sessionId: string, upTo = Number.MAX_SAFE_INTEGER): { events: number; bytes: number } {
    return this.removeWhere('session_id = ? AND seq <= ?', sessionId, upTo);
  }

  /** The newest number that arrived before a time; 0 for none. */
  lastBefore(time: number): number {
    const row = this.db.prepare('SELECT max(seq) AS seq FROM event WHERE seen < ?').get(time) as {
      seq: number | null;
    };
    return Number(row.seq ?? 0);
  }

  /** Removes every row. */
  removeAll(): { events: number; bytes: number } {
    return this.removeWhere('seq > ?', 0);
  }

  /** Removes the rows of no session up to and with `upTo`. */
  removeOwnerless(upTo = Number.MAX_SAFE_INTEGER): { events: number; bytes: number } {
    return this.removeWhere('session_id IS NULL AND seq <= ?', upTo);
  }

  /** Puts an event back under a number that was just removed: the state of a session at a cut. */
  putAt(seq: number, draft: Draft, seen: number): void {
    this.db
      .prepare(
        'INSERT INTO event (seq, at, seen, source, name, session_id, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(seq, draft.at, seen, draft.source, draft.name, draft.sessionId, draft.raw);
    this.tally(1, draft.raw.length);
  }

  /** Forgets deliveries taken before `time`. */
  releaseBefore(time: number): void {
    this.db.prepare('DELETE FROM taken WHERE seen < ?').run(time);
  }

  private removeWhere(where: string, ...values: (string | number)[]): { events: number; bytes: number } {
    const sum = `SELECT count(*) AS events, coalesce(sum(length(raw)), 0) AS bytes FROM event WHERE ${where}`;
    const { events, bytes } = this.db.prepare(sum).get(...values) as { events: number; bytes: number };
    const last = this.db.prepare(`SELECT max(seq) AS seq FROM event WHERE ${where}`).get(...values) as {
      seq: number | null;
    };
    this.db.prepare(`DELETE FROM event WHERE ${where}`).run(...values);
    this.db.prepare("UPDATE tally SET value = max(value, ?) WHERE name = 'gone'").run(last.seq ?? 0);
    this.tally(-events, -bytes);
    return { events, bytes };
  }

  /** The highest number whose event was removed; 0 when none ever was. */
  gone(): number {
    const row = this.db.prepare("SELECT value FROM tally WHERE name = 'gone'").get() as { value: number };
    return Number(row.value);
  }

  /** The highest number ever given, also when its row is gone. */
  last(): number {
    const row = this.db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event'").get() as
      | { seq: number }
      | undefined;
    return Number(row?.seq ?? 0);
  }

  totals(): { events: number; bytes: number } {
    const rows = this.db.prepare('SELECT name, value FROM tally').all() as { name: string; value: number }[];
    const value = (name: string) => Number(rows.find(row => row.name === name)?.value ?? 0);
    return { events: value('events'), bytes: value('bytes') };
  }
}

interface Row {
  seq: number;
  at: number;
  seen: number;
  source: Source;
  name: string;
  session_id: string | null;
  context: string | null;
  raw: Uint8Array;
}

const eventOf = (row: Row): Event => ({
  seq: row.seq,
  at: row.at,
  seen: row.seen,
  source: row.source,
  name: row.name,
  sessionId: row.session_id,
  context: row.context ? (JSON.parse(row.context) as Context) : {},
  raw: row.raw,
});
