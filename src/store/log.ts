/** The append-only log. Only retention and `forget` remove rows. */
import type { Draft, Event, Source } from '../contract/event.ts';
import { actionName } from '../session/action.ts';
import { eventTime } from '../session/event-time.ts';
import { integer, objectOf, textOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export interface Range {
  after: number;
  sessionId?: string | undefined;
  rows: number;
  bytes?: number;
}

export interface OriginVolume {
  origin: string;
  events: number;
  bytes: number;
  sessions: number;
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
  private readonly toFold: Statement;
  private readonly count: Statement;
  private readonly takeKey: Statement;
  private readonly dropKey: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.insert = db.prepare(
      'INSERT INTO event (at, seen, source, name, session_id, context, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.all = db.prepare(`SELECT ${columns} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`);
    this.toFold = db.prepare(`SELECT ${foldColumns} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`);
    this.one = db.prepare(
      `SELECT ${columns} FROM event WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    );
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

  /** Counts what a transaction appended, or removed if negative. */
  tally(events: number, bytes: number): void {
    this.count.run(events, 'events');
    this.count.run(bytes, 'bytes');
  }

  /** Records a delivery; false when it was already recorded. */
  take(key: string, seen: number): boolean {
    return Number(this.takeKey.run(key, seen).changes) === 1;
  }

  /** Forgets a delivery that cannot be repeated any more. */
  release(key: string): void {
    this.dropKey.run(key);
  }

  /** Returns every delivery that may still be repeated. */
  takenKeys(): { key: string; seen: number }[] {
    return this.db.prepare(`SELECT key, ${integer('seen')} FROM taken`).all() as {
      key: string;
      seen: number;
    }[];
  }

  /** Returns an event by its seq; null when it is gone or cannot be read. */
  at(seq: number): Event | null {
    const [row] = this.all.all(seq - 1, 1) as unknown as Row[];
    return row?.seq === seq ? this.eventOf(row) : null;
  }

  /** Returns events after a cursor, oldest first, bounded in rows and bytes. Empty only when there are no more. */
  read(range: Range): Event[] {
    const { events, cursor } = this.page(range);
    // If no row of a page can be read, continue with the next page: this is not the end of the log.
    return events.length > 0 || cursor === range.after ? events : this.read({ ...range, after: cursor });
  }

  /**
   * Returns the events after a cursor with their payloads as text, and where to continue. For the fold, which reads a million of
   * them at once and needs no bytes: SQLite makes texts faster than arrays. A large payload is read by itself.
   */
  readToFold(after: number, rows: number): { events: EventToFold[]; cursor: number } {
    const found = this.toFold.all(after, rows) as unknown as FoldRow[];
    const events = found.flatMap(row => {
      if (row.raw === null) {
        const event = this.at(row.seq);
        return event ? { event, text: Buffer.from(event.raw).toString('utf8') } : [];
      }
      const event = this.unreadable.attempt('event', row.seq, () => ({
        ...eventOf({ ...row, context: null, raw: nothing }),
        context: this.contextOf(row.context),
      }));
      return event ? { event, text: row.raw } : [];
    });
    return { events, cursor: found.at(-1)?.seq ?? after };
  }

  /** The contexts that were read last: hooks of one session have the same. */
  private readonly contexts = new Map<string, Event['context']>();

  private contextOf(text: string | null): Event['context'] {
    if (text === null) return {};
    const known = this.contexts.get(text);
    if (known) return known;
    const context = objectOf(text);
    if (this.contexts.size >= 1_000) this.contexts.clear();
    this.contexts.set(text, context);
    return context;
  }

  private page({ after, sessionId, rows, bytes = Number.POSITIVE_INFINITY }: Range) {
    const query =
      sessionId === undefined ? this.all.iterate(after, rows) : this.one.iterate(sessionId, after, rows);
    const events: Event[] = [];
    let cursor = after;
    let size = 0;
    for (const row of query as Iterable<Row>) {
      cursor = row.seq;
      const event = this.eventOf(row);
      if (!event) continue;
      events.push(event);
      size += event.raw.length;
      if (size >= bytes) break;
    }
    return { events, cursor };
  }

  private eventOf(row: Row): Event | null {
    return this.unreadable.attempt('event', row.seq, () => eventOf(row));
  }

  /** Whether a session has events after a cursor. Actions do not count: the session did not cause them. */
  hasAfter(sessionId: string, after: number): boolean {
    const query =
      "SELECT 1 FROM event WHERE session_id = ? AND seq > ? AND NOT (source = 'drover' AND name = ?) LIMIT 1";
    return this.db.prepare(query).get(sessionId, after, actionName) !== undefined;
  }

  /** Returns the seq of the newest event of one name in a session before a seq; null when there is none. */
  lastOf(sessionId: string, name: string, before: number): number | null {
    const query =
      'SELECT seq FROM event WHERE session_id = ? AND seq < ? AND name = ? ORDER BY seq DESC LIMIT 1';
    const row = this.db.prepare(query).get(sessionId, before, name) as { seq: number } | undefined;
    return row?.seq ?? null;
  }

  /** Returns the events of one name in a session, newest first. */
  *backwards(sessionId: string, name: string): Generator<Event> {
    const query = `SELECT ${columns} FROM event WHERE session_id = ? AND name = ? ORDER BY seq DESC`;
    for (const row of this.db.prepare(query).iterate(sessionId, name) as Iterable<Row>) {
      const event = this.eventOf(row);
      if (event) yield event;
    }
  }

  /** Returns the cursor before the newest `rows` events. */
  before(rows: number, sessionId?: string): number {
    const query =
      sessionId === undefined
        ? this.db.prepare('SELECT seq FROM event ORDER BY seq DESC LIMIT 1 OFFSET ?').get(rows)
        : this.db
            .prepare('SELECT seq FROM event WHERE session_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?')
            .get(sessionId, rows);
    return Number((query as { seq: number } | undefined)?.seq ?? 0);
  }

  /** Returns the oldest rows after a cursor, without their payloads. */
  oldest(after: number, rows: number): Outline[] {
    const query = `SELECT ${outline} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`;
    return this.db.prepare(query).all(after, rows);
  }

  /** Returns the sessions with more than this many events or bytes. */
  sessionsOver(events: number, bytes: number): { sessionId: string; events: number; bytes: number }[] {
    const query = `SELECT session_id AS sessionId, ${integer('events')}, ${integer('bytes')} FROM volume
      WHERE events > ? OR bytes > ?`;
    return this.db.prepare(query).all(events, bytes) as ReturnType<Log['sessionsOver']>;
  }

  /** Returns the origins with more than this many events, bytes or sessions. */
  originsOver(events: number, bytes: number, sessions: number): OriginVolume[] {
    // The origin is what follows the last `@` of the id.
    const query = `SELECT substr(session_id, length(rtrim(session_id, replace(session_id, '@', ''))) + 1) AS origin,
        sum(events) AS events, sum(bytes) AS bytes, count(*) AS sessions
      FROM volume WHERE instr(session_id, '@') > 0 GROUP BY origin
      HAVING sum(events) > ? OR sum(bytes) > ? OR count(*) > ?`;
    return this.db.prepare(query).all(events, bytes, sessions) as OriginVolume[];
  }

  /** Returns how much the log has of a session. */
  volumeOf(sessionId: string): { events: number; bytes: number } {
    const query = `SELECT ${integer('events')}, ${integer('bytes')} FROM volume WHERE session_id = ?`;
    const row = this.db.prepare(query).get(sessionId) as { events: number; bytes: number } | undefined;
    return row ?? { events: 0, bytes: 0 };
  }

  /** Returns the oldest rows of a session, without their payloads. */
  oldestOf(sessionId: string, rows: number): Outline[] {
    const query = `SELECT ${outline} FROM event WHERE session_id = ? ORDER BY seq LIMIT ?`;
    return this.db.prepare(query).all(sessionId, rows);
  }

  /** Removes a session's rows up to and including `upTo`, or all; returns how many rows and bytes. */
  removeOf(sessionId: string, upTo = Number.MAX_SAFE_INTEGER): { events: number; bytes: number } {
    return this.removeWhere('session_id = ? AND seq <= ?', sessionId, upTo);
  }

  /** Returns the newest seq that arrived before a time; 0 for none. */
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

  /** Removes the rows without a session up to and including `upTo`. */
  removeWithoutSession(upTo = Number.MAX_SAFE_INTEGER): { events: number; bytes: number } {
    return this.removeWhere('session_id IS NULL AND seq <= ?', upTo);
  }

  /** Writes an event under a seq that was just removed: the state of a session at a cut. */
  putAt(seq: number, draft: Draft, seen: number): void {
    this.db
      .prepare(
        'INSERT INTO event (seq, at, seen, source, name, session_id, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(seq, draft.at, seen, draft.source, draft.name, draft.sessionId, draft.raw);
    this.tally(1, draft.raw.length);
  }

  /** Forgets deliveries recorded before `time`. */
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

  /** Returns the highest seq that was removed; 0 when none was. */
  highestRemoved(): number {
    return this.value('gone');
  }

  /** Returns when the newest event arrived, ms; 0 when there is none. */
  lastSeen(): number {
    const query = `SELECT ${integer('seen')} FROM event ORDER BY seq DESC LIMIT 1`;
    return Number((this.db.prepare(query).get() as { seen: number } | undefined)?.seen ?? 0);
  }

  /** Returns the highest seq ever assigned, even if its row is gone. */
  lastSeq(): number {
    const query = `SELECT ${integer('seq')} FROM sqlite_sequence WHERE name = 'event'`;
    const row = this.db.prepare(query).get() as { seq: number } | undefined;
    return Number(row?.seq ?? 0);
  }

  totals(): { events: number; bytes: number } {
    return { events: this.value('events'), bytes: this.value('bytes') };
  }

  private value(name: string): number {
    const query = `SELECT ${integer('value')} FROM tally WHERE name = ?`;
    return Number((this.db.prepare(query).get(name) as { value: number } | undefined)?.value ?? 0);
  }
}

const outline = `seq, ${integer('seen')}, source, name, session_id AS sessionId, length(raw) AS bytes`;

const columns = `seq, ${integer('at')}, ${integer('seen')}, source, name, session_id, context, raw`;

/** An event without its bytes, and its payload as text. */
export interface EventToFold {
  event: Event;
  text: string;
}

/** A payload up to this size is read with its row. */
const foldedAtOnce = 64 * 1024;

const foldColumns = `seq, ${integer('at')}, ${integer('seen')}, source, name, session_id, context,
  CASE WHEN length(raw) <= ${foldedAtOnce} THEN CAST(raw AS TEXT) END AS raw`;

type FoldRow = Omit<Row, 'raw'> & { raw: string | null };

const nothing = new Uint8Array();

interface Row {
  seq: number;
  at: number;
  seen: number;
  source: Source;
  name: string;
  session_id: string | null;
  context: string | null;
  raw: Uint8Array | string;
}

const eventOf = (row: Row): Event => ({
  seq: row.seq,
  // Earlier versions stored unchecked values.
  at: eventTime(row.at, row.seen),
  seen: row.seen,
  source: textOf(row.source) as Source,
  name: textOf(row.name),
  sessionId: row.session_id === null ? null : textOf(row.session_id),
  context: row.context === null ? {} : objectOf(row.context),
  raw: typeof row.raw === 'string' ? Buffer.from(row.raw) : row.raw,
});
