/**
 * The usage database: every message of every transcript with its tokens, and sums by day. It is a separate file because a
 * worker thread writes it: in the main database its transactions would block the event log.
 */
import { type Clock, systemClock } from '../../clock.ts';
import { Connection, type OnError } from '../connection.ts';
import type { Database } from '../sqlite.ts';
import { addBill, addCostReport, type CostReport } from './usage-bills.ts';
import { migrateUsage } from './usage-migrations.ts';
import { dayNumber, refillDays } from './usage-days.ts';
import { addMessages } from './usage-messages.ts';
import { UsageRows } from './usage-rows.ts';
import type { UsageBill, UsageFile, UsageMessage } from './usage-sums.ts';

export class UsageStore {
  private readonly rows: UsageRows;

  private constructor(readonly db: Connection) {
    this.rows = new UsageRows(db);
  }

  /** Opens the database. A damaged one is moved aside, and a new one is filled from the transcripts. */
  static async open(
    file: string,
    onError: OnError = () => {},
    clock: Clock = systemClock,
  ): Promise<UsageStore> {
    const store = new UsageStore(await Connection.open({ file, prepare, onError, clock }));
    store.db.onReplaced(() => store.rows.clear());
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
      const floor = this.floor();
      for (const session of addMessages(this.db, this.rows, messages, floor))
        this.cutSessions('id = ?', session, floor);
      for (const bill of bills) this.addBill(bill);
      this.db
        .prepare('INSERT INTO file (path, read) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET read = ?')
        .run(path, read, read);
    });
  }

  /** Records what a session was billed. A bill also has what was forgotten, so then it says nothing about the rest. */
  addBill(bill: UsageBill): void {
    const { id, floor } = this.rows.session(bill.sessionId);
    if (floor === 0) addBill(this.db, id, bill);
  }

  /** Records the cost that the status line of a session reports. */
  addCostReport(report: CostReport): void {
    this.write(() => {
      const { id, floor } = this.rows.session(report.sessionId);
      if (floor === 0) addCostReport(this.db, id, report);
    });
  }

  /** Deletes one session, everything before a time, or everything. It is not counted again. */
  forget(wanted: { id?: string; before?: number; all?: boolean }, now: number): void {
    this.write(() => {
      if (wanted.id !== undefined) {
        const { id } = this.rows.session(wanted.id);
        for (const table of ['message', 'day', 'bill', 'costReport'])
          this.db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(id);
        this.db.prepare('UPDATE session SET floor = ?, dir = NULL WHERE id = ?').run(now, id);
      }
      const before = wanted.all ? now : wanted.before;
      if (before !== undefined) this.removeBefore(before);
    });
    this.rows.clear();
    this.db.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Deletes messages older than this; they are not counted again. */
  retain(from: number): void {
    this.write(() => this.removeBefore(from));
    this.rows.clear();
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
      this.rows.clear();
      throw error;
    }
  }

  private removeBefore(time: number): void {
    this.cutSessions('id IN (SELECT session FROM message WHERE at < ?)', time, time);
    this.db.prepare('DELETE FROM message WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM bill WHERE at < ?').run(time);
    this.db.prepare('DELETE FROM costReport WHERE at < ?').run(time);
    refillDays(this.db, dayNumber(time));
    this.saveFact('floor', String(Math.max(time, this.floor())));
  }

  /** Marks sessions that have lost messages from before `floor`: what their transcripts leave out can no longer be computed. */
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
      refillDays(this.db, null);
      this.saveFact('timeZone', timeZone);
    });
  }
}

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
