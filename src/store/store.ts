/** The one database: opened, migrated, and closed here; the log and the views live in it. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import { AuditTable } from './audit-table.ts';
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
  /** Rows that were left out because they cannot be read. */
  readonly unreadable: UnreadableRows;

  private constructor(
    private readonly db: Connection,
    /** The highest number given so far: a new database goes on behind it. */
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
  }

  /** Opens the database. One that is damaged is moved aside, and a new one takes its place. */
  static async open(file: string, onError: OnError = () => {}): Promise<Store> {
    refuseNewer(file);
    const numbers: Store['numbers'] = { last: null };
    const renew = (db: Database) => continueNumbers(db, numbers.last);
    const store = new Store(await Connection.open({ file, prepare, renew, onError }), numbers, onError);
    numbers.last = store.lastNumber();
    return store;
  }

  /** One transaction over log and views. */
  write<T>(work: () => T): T {
    const result = this.db.transaction(work);
    this.numbers.last = this.log.last();
    return result;
  }

  /** A transaction whose deletions overwrite the text on disk, in the database and in its journal. */
  erase<T>(work: () => T): T {
    this.db.exec('PRAGMA secure_delete = ON');
    try {
      return this.db.transaction(work);
    } finally {
      this.db.exec('PRAGMA secure_delete = FAST; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  /** From now on a locked database fails soon: nothing else runs while it is waited for, and who has to wait tries again. */
  waitBriefly(): void {
    this.db.exec('PRAGMA busy_timeout = 250');
  }

  /** Null when the database is damaged; by then a new one stands in its place. */
  private lastNumber(): number | null {
    try {
      return this.log.last();
    } catch (error) {
      if (isDamage(error)) return null;
      throw error;
    }
  }

  /** Calls `listener` when a new, empty database has taken the place of a damaged one. */
  onReplaced(listener: () => void): void {
    this.db.onReplaced(listener);
  }

  close(): void {
    this.db.close();
  }
}

const prepare = (db: Database): void => {
  // secure_delete: a replaced row must not leave its text in the page, where `forget` cannot reach it any more.
  // FULL: an answered POST survives a power cut too. The group commit pays for it.
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

/** Lets the numbers of a new database go on behind those of a lost one, so that no cursor of a reader means two events. */
const continueNumbers = (db: Database, last: number | null): void => {
  // Where the last one is not known: there has not been more than one event a second since 1970.
  const seq = last ?? Math.floor(Date.now() / 1000);
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', ?)").run(seq);
  db.prepare("UPDATE tally SET value = ? WHERE name = 'gone'").run(seq);
};

// A row past 2^53 could not be named in JavaScript. None is ever written: only a hand or a broken disk makes one.
const limitNumbers = (db: Database): void => {
  const most = Number.MAX_SAFE_INTEGER - 2 ** 32;
  const over = db.prepare(`SELECT 1 FROM sqlite_sequence WHERE name = 'event' AND seq > ${most}`).get();
  if (!over) return;
  transaction(db, () => {
    db.exec(`DELETE FROM event WHERE seq > ${most}`);
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
      `${file} has version ${version}, this Drover knows ${schemaVersion}.`,
    );
};
