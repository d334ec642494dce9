/**
 * The usage database: every message of every transcript with its tokens, and sums by day. It is a file of its own because a
 * worker thread writes it: in the main database its transactions would block the event log.
 */
import { Connection, type OnError } from './connection.ts';
import type { Database } from './sqlite.ts';
import { addBill, addCostReport, type CostReport } from './usage-bills.ts';
import { migrateUsage } from './usage-migrations.ts';
import {
  noTokens,
  tokenColumns,
  type TokenSums,
  type UsageBill,
  type UsageFile,
  type UsageMessage,
} from './usage-sums.ts';

type Counted = Omit<TokenSums, 'messages'>;

interface Kept extends Counted {
  at: number;
  session: number;
  model: number;
  isCopy: number;
}

interface SessionRow {
  id: number;
  floor: number;
  dir: string | null;
  created: number;
}

export class UsageStore {
  private readonly sessionRows = new Map<string, SessionRow>();
  private readonly modelIds = new Map<string, number>();

  private constructor(readonly db: Connection) {}

  /** Opens the database. A damaged one is moved aside, and a new one is filled from the transcripts. */
  static async open(file: string, onError: OnError = () => {}): Promise<UsageStore> {
    const store = new UsageStore(await Connection.open({ file, prepare, onError }));
    store.db.onReplaced(() => store.clearCaches());
    store.followTimeZone();
    return store;
  }

  /** Lists the transcripts that were read. */
  files(): UsageFile[] {
    return this.db.prepare('SELECT id, path, read FROM file').all() as UsageFile[];
  }

  /** Adds messages and bills of one transcript, and records how far it has been read. */
  add(path: string, read: number, messages: UsageMessage[], bills: UsageBill[]): void {
    this.write(() => {
      this.addMessages(messages);
      for (const bill of bills) this.addBill(bill);
      this.db
        .prepare('INSERT INTO file (path, read) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET read = ?')
        .run(path, read, read);
    });
  }

  /** Records what a session was billed. A bill also has what was forgotten, so then it says nothing about the rest. */
  addBill(bill: UsageBill): void {
    const { id, floor } = this.sessionOf(bill.sessionId);
    if (floor === 0) addBill(this.db, id, bill);
  }

  /** Records the cost that the status line of a session reports. */
  addCostReport(report: CostReport): void {
    this.write(() => {
      const { id, floor } = this.sessionOf(report.sessionId);
      if (floor === 0) addCostReport(this.db, id, report);
    });
  }

  /** Deletes one session, everything before a time, or everything. It is not counted again. */
  forget(wanted: { id?: string; before?: number; all?: boolean }, now: number): void {
    this.write(() => {
      if (wanted.id !== undefined) {
        const { id } = this.sessionOf(wanted.id);
        for (const table of ['message', 'day', 'bill', 'costReport'])
          this.db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(id);
        this.db.prepare('UPDATE session SET floor = ?, dir = NULL WHERE id = ?').run(now, id);
      }
      const before = wanted.all ? now : wanted.before;
      if (before !== undefined) this.removeBefore(before);
    });
    this.clearCaches();
    this.db.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Deletes messages older than this; they are not counted again. */
  retain(from: number): void {
    this.write(() => this.removeBefore(from));
    this.clearCaches();
  }

  readFact(name: string): string | null {
    const row = this.db.prepare('SELECT value FROM fact WHERE name = ?').get(name) as
      | { value: string }
      | undefined;
    return row?.value ?? null;
  }

  saveFact(name: string, value: string): void {
    this.db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.db.close();
  }

  private write(work: () => void): void {
    try {
      this.db.transaction(work);
    } catch (error) {
      // Rows that the transaction had added are gone again.
      this.clearCaches();
      throw error;
    }
  }

  private addMessages(messages: UsageMessage[]): void {
    const floor = this.floor();
    const days = new Map<string, { key: [number, number, number]; sums: TokenSums }>();
    const count = (at: number, session: number, model: number, tokens: Counted, sign: 1 | -1) => {
      const key: [number, number, number] = [dayNumber(at), session, model];
      const name = key.join(' ');
      const entry = days.get(name) ?? { key, sums: noTokens() };
      entry.sums.messages += sign;
      for (const column of tokenColumns) entry.sums[column] += sign * tokens[column];
      days.set(name, entry);
    };
    const newest = new Map<number, number>();
    const left = new Set<number>();
    const forks = new Set<number>();
    const cut = new Set<number>();
    const find = this.db.prepare(
      `SELECT at, session, model, isCopy, ${tokenColumns.join(', ')} FROM message WHERE id = ?`,
    );
    const columns = ['id', 'at', 'session', 'model', ...tokenColumns, 'isCopy'];
    const put = this.db.prepare(
      `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
        ON CONFLICT (id) DO UPDATE SET ${columns
          .slice(1)
          .map(column => `${column} = excluded.${column}`)
          .join(', ')}`,
    );
    for (const message of messages) {
      const session = this.sessionOf(message.sessionId, message);
      if (message.at < floor) cut.add(session.id);
      if (message.at < Math.max(floor, session.floor)) continue;
      const known = find.get(message.id) as Kept | undefined;
      const isFinal = known === undefined || hasMore(message, known);
      const isOwner = known === undefined || this.askedRather(session, message, known);
      if (known && known.session !== session.id) forks.add(isOwner ? known.session : session.id);
      if (!isFinal && !isOwner) continue;
      const owner = isOwner ? session.id : known.session;
      const at = known ? Math.min(known.at, message.at) : message.at;
      const model = isFinal ? this.modelOf(message.model, message.tier) : known.model;
      const tokens = isFinal ? message : known;
      const isCopy = (known?.isCopy ?? 1) === 1 && message.isCopy ? 1 : 0;
      if (known) count(known.at, known.session, known.model, known, -1);
      if (known && isOwner) left.add(known.session);
      count(at, owner, model, tokens, 1);
      newest.set(owner, Math.max(newest.get(owner) ?? 0, at));
      put.run(message.id, at, owner, model, ...tokenColumns.map(column => tokens[column]), isCopy);
    }
    for (const { key, sums } of days.values()) this.addToDay(key, sums);
    const update = this.db.prepare('UPDATE session SET last = max(last, ?) WHERE id = ?');
    for (const [session, at] of newest) update.run(at, session);
    const empty = this.db.prepare(
      'UPDATE session SET last = 0 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM day WHERE session = session.id)',
    );
    for (const session of left) empty.run(session);
    const fork = this.db.prepare('UPDATE session SET isFork = 1 WHERE id = ?');
    for (const session of forks) fork.run(session);
    for (const session of cut) this.cutSessions('id = ?', session, floor);
  }

  /**
   * Whether this session asked for a message that counts for another one so far. A fork has the lines of its original, and
   * may be read first: the older transcript asked for it. Only forks made inside a session mark what they copied.
   */
  private askedRather(session: SessionRow, message: UsageMessage, known: Kept): boolean {
    if (known.session === session.id) return false;
    if (message.isCopy !== (known.isCopy === 1)) return known.isCopy === 1;
    const { created } = this.db.prepare('SELECT created FROM session WHERE id = ?').get(known.session) as {
      created: number;
    };
    return session.created > 0 && session.created < created;
  }

  private addToDay(key: [number, number, number], sums: TokenSums): void {
    this.db
      .prepare(
        `INSERT INTO day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
          messages = messages + excluded.messages,
          ${tokenColumns.map(column => `${column} = ${column} + excluded.${column}`).join(', ')}`,
      )
      .run(...key, sums.messages, ...tokenColumns.map(column => sums[column]));
    if (sums.messages < 0)
      this.db
        .prepare('DELETE FROM day WHERE day = ? AND session = ? AND model = ? AND messages = 0')
        .run(...key);
  }

  private sessionOf(
    session: string,
    seen: { dir: string | null; created: number } = nothingSeen,
  ): SessionRow {
    const { dir, created } = seen;
    const known = this.sessionRows.get(session);
    const isOlder = created > 0 && (known === undefined || known.created === 0 || created < known.created);
    if (known && !isOlder && (known.dir !== null || dir === null)) return known;
    // The first directory of a session is the one it was started in. Transcripts of subagents are younger than its own.
    this.db
      .prepare(
        `INSERT INTO session (session, dir, created) VALUES (?, ?, ?) ON CONFLICT (session) DO UPDATE SET
          dir = coalesce(dir, excluded.dir),
          created = iif(excluded.created > 0 AND (created = 0 OR excluded.created < created), excluded.created, created)`,
      )
      .run(session, dir, created);
    const row = this.db
      .prepare('SELECT id, floor, dir, created FROM session WHERE session = ?')
      .get(session) as SessionRow;
    if (this.sessionRows.size > cachedSessions) this.sessionRows.clear();
    this.sessionRows.set(session, row);
    return row;
  }

  private modelOf(model: string, tier: string): number {
    const name = `${tier} ${model}`;
    const known = this.modelIds.get(name);
    if (known !== undefined) return known;
    this.db.prepare('INSERT OR IGNORE INTO model (model, tier) VALUES (?, ?)').run(model, tier);
    const { id } = this.db.prepare('SELECT id FROM model WHERE model = ? AND tier = ?').get(model, tier) as {
      id: number;
    };
    this.modelIds.set(name, id);
    return id;
  }

  private removeBefore(time: number): void {
    const edge = dayNumber(time);
    this.cutSessions('id IN (SELECT session FROM message WHERE at < ?)', time, time);
    this.db.prepare('DELETE FROM message WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM bill WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM costReport WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM day WHERE day <= ?').run(edge);
    this.db.exec(`${fillDays} WHERE ${dayOfMessage} <= ${edge} ${groupDays}`);
    this.saveFact('floor', String(Math.max(time, this.floor())));
  }

  /** These sessions have lost messages of before `floor`: nothing says any more what is not in their transcripts. */
  private cutSessions(which: string, value: number, floor: number): void {
    this.db.prepare(`UPDATE session SET floor = max(floor, ?) WHERE ${which}`).run(floor, value);
    for (const table of ['bill', 'costReport'])
      this.db
        .prepare(`DELETE FROM ${table} WHERE session IN (SELECT id FROM session WHERE ${which})`)
        .run(value);
  }

  private floor(): number {
    return Number(this.readFact('floor') ?? 0);
  }

  /** Days are local: after a change of the time zone they are added up again. */
  private followTimeZone(): void {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (this.readFact('timeZone') === timeZone) return;
    this.write(() => {
      this.db.exec(`DELETE FROM day; ${fillDays} ${groupDays}`);
      this.saveFact('timeZone', timeZone);
    });
  }

  private clearCaches(): void {
    this.sessionRows.clear();
    this.modelIds.clear();
  }
}

/** A message is written several times while it streams, with growing figures; the largest are final. */
const hasMore = (message: UsageMessage, known: Kept): boolean =>
  message.output === known.output ? promptOf(message) > promptOf(known) : message.output > known.output;

const promptOf = ({ input, cacheWrite5m, cacheWrite1h, cacheRead }: Counted): number =>
  input + cacheWrite5m + cacheWrite1h + cacheRead;

/** Returns the local date as a number: 20260131. */
export const dayNumber = (at: number): number => {
  const date = new Date(at);
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
};

const dayOfMessage = "CAST(strftime('%Y%m%d', at / 1000, 'unixepoch', 'localtime') AS INTEGER)";
const fillDays = `INSERT INTO day SELECT ${dayOfMessage} AS day, session, model, count(*),
  ${tokenColumns.map(column => `sum(${column})`).join(', ')} FROM message`;
const groupDays = 'GROUP BY 1, session, model';

const cachedSessions = 10_000;
const nothingSeen = { dir: null, created: 0 };

const prepare = (db: Database): void => {
  db.exec(`
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -32000;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 16000000;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON;
  `);
  migrateUsage(db);
};
