/** Opens, migrates and closes the database, which contains the log and the tables derived from it. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import { type Clock, systemClock } from '../clock.ts';
import { AuditTable } from './audit-table.ts';
import { ChangeTable } from './change-table.ts';
import { type Folded, foldedShape, isFolded } from '../session/memory.ts';
import { Connection, type OnError } from './connection.ts';
import { FactTable } from './fact-table.ts';
import { Log } from './log.ts';
import { migrate, schemaVersion } from './migrations.ts';
import { ReceiptTable } from './receipt-table.ts';
import { UnreadableRows } from './safe-rows.ts';
import { SessionTable } from './session-table.ts';
import { SpanTable } from './span-table.ts';
import { isDamage } from './sqlite-error.ts';
import { type Database, transaction } from './sqlite.ts';
import { WaitTable } from './wait-table.ts';
import { WakeTable } from './wake-table.ts';

export class Store {
  readonly log: Log;
  readonly sessions: SessionTable<Folded>;
  readonly waits: WaitTable;
  readonly spans: SpanTable;
  readonly receipts: ReceiptTable;
  readonly wakes: WakeTable;
  readonly audit: AuditTable;
  readonly facts: FactTable;
  readonly changes: ChangeTable;
  /** Rows that were skipped because they cannot be read. */
  readonly unreadable: UnreadableRows;

  private constructor(
    private readonly db: Connection,
    /** The highest seq assigned so far: a new database continues after it. */
    private readonly numbers: { last: number | null },
    onError: OnError,
  ) {
    this.unreadable = new UnreadableRows(onError);
    this.log = new Log(db, this.unreadable);
    this.sessions = new SessionTable<Folded>(db, foldedShape, isFolded, this.unreadable);
    this.waits = new WaitTable(db, this.unreadable);
    this.spans = new SpanTable(db, this.unreadable);
    this.receipts = new ReceiptTable(db, this.unreadable);
    this.wakes = new WakeTable(db, this.unreadable);
    this.audit = new AuditTable(db, this.unreadable);
    this.facts = new FactTable(db, this.unreadable);
    this.changes = new ChangeTable(db, this.unreadable);
  }

  /** Opens the database. A damaged one is moved aside and replaced by a new one. */
  static async open(file: string, onError: OnError = () => {}, clock: Clock = systemClock): Promise<Store> {
    refuseNewer(file);
    const numbers: Store['numbers'] = { last: null };
    // If the last seq is unknown, use the seconds since 1970: no log has had more events than that.
    const renew = (db: Database) => continueNumbers(db, numbers.last ?? Math.floor(clock.now() / 1000));
    const db = await Connection.open({ file, prepare, renew, onError, clock });
    const store = new Store(db, numbers, onError);
    numbers.last = store.lastNumber();
    return store;
  }

  /** Runs `work` in one transaction over all tables. */
  write<T>(work: () => T): T {
    const result = this.db.transaction(work);
    this.numbers.last = this.log.lastSeq();
    return result;
  }

  /** Runs a transaction whose deletions are overwritten on disk, in the database and in its journal. */
  erase<T>(work: () => T): T {
    this.db.exec('PRAGMA secure_delete = ON');
    try {
      return this.db.transaction(work);
    } finally {
      this.db.exec('PRAGMA secure_delete = FAST; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  /** From now on a locked database fails soon: waiting blocks the process, and callers retry anyway. */
  waitBriefly(): void {
    this.db.exec('PRAGMA busy_timeout = 250');
  }

  /** Returns null when the database is damaged; by then a new one has replaced it. */
  private lastNumber(): number | null {
    try {
      return this.log.lastSeq();
    } catch (error) {
      if (isDamage(error)) return null;
      throw error;
    }
  }

  /** Calls `listener` when a new, empty database has replaced a damaged one. */
  onReplaced(listener: () => void): void {
    this.db.onReplaced(listener);
  }

  close(): void {
    this.db.close();
  }
}

const prepare = (db: Database): void => {
  // secure_delete: a replaced row must not leave its text in the page, where `forget` cannot reach it.
  // FULL: an acknowledged POST survives a power cut. The group commit makes that affordable.
  db.exec(`
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -8000;
    PRAGMA journal_size_limit = 16000000;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = FAST;
  `);
  migrate(db);
  limitNumbers(db);
};

/** Continues the seqs of a lost database in a new one, so that no cursor means two events. */
const continueNumbers = (db: Database, seq: number): void => {
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', ?)").run(seq);
  db.prepare("UPDATE tally SET value = ? WHERE name = 'gone'").run(seq);
};

// JavaScript cannot represent a seq above 2^53. Only manual edits or a broken disk produce one.
const limitNumbers = (db: Database): void => {
  const largest = Number.MAX_SAFE_INTEGER - 2 ** 32;
  const over = db.prepare(`SELECT 1 FROM sqlite_sequence WHERE name = 'event' AND seq > ${largest}`).get();
  if (!over) return;
  transaction(db, () => {
    db.exec(`DELETE FROM event WHERE seq > ${largest}`);
    db.exec(
      "UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(seq), 0) FROM event) WHERE name = 'event'",
    );
  });
};

// Opening a database can write to it, so the version is read off the file's header (bytes 60 to 63) first.
const refuseNewer = (file: string): void => {
  if (!existsSync(file)) return;
  const header = Buffer.alloc(64);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, header, 0, 64, 0);
  } finally {
    closeSync(fd);
  }
  const version = header.readUInt32BE(60);
  if (version > schemaVersion && header.toString('latin1', 0, 15) === 'SQLite format 3')
    throw new DroverError(
      'newer_database',
      `${file} has version ${version}; this Drover supports up to version ${schemaVersion}.`,
    );
};
