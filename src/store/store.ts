/** The one database: opened, migrated, and closed here; the log and the views live in it. */
import { chmodSync, closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import { AuditTable } from './audit-table.ts';
import { Log } from './log.ts';
import { migrate, schemaVersion } from './migrations.ts';
import { type Folded, foldedShape } from '../session/memory.ts';
import { SessionTable } from './session-table.ts';
import { ReceiptTable } from './receipt-table.ts';
import { SpanTable } from './span-table.ts';
import { WaitTable } from './wait-table.ts';
import { WakeTable } from './wake-table.ts';
import { type Database, openDatabase, transaction } from './sqlite.ts';

export class Store {
  readonly log: Log;
  readonly sessions: SessionTable<Folded>;
  readonly waits: WaitTable;
  readonly spans: SpanTable;
  readonly receipts: ReceiptTable;
  readonly wakes: WakeTable;
  readonly audit: AuditTable;

  private constructor(private readonly db: Database) {
    this.log = new Log(db);
    this.sessions = new SessionTable(db, foldedShape);
    this.waits = new WaitTable(db);
    this.spans = new SpanTable(db);
    this.receipts = new ReceiptTable(db);
    this.wakes = new WakeTable(db);
    this.audit = new AuditTable(db);
  }

  static async open(file: string): Promise<Store> {
    refuseNewer(file);
    const db = await openDatabase(file);
    chmodSync(file, 0o600);
    // secure_delete: a replaced row must not leave its text in the page, where `forget` cannot reach it any more.
    // FULL: an answered POST survives a power cut too. The group commit pays for it.
    db.exec(`
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA busy_timeout = 2000;
      PRAGMA cache_size = -8000;
      PRAGMA journal_size_limit = 16000000;
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = FAST;
    `);
    migrate(db);
    return new Store(db);
  }

  /** One transaction over log and views. */
  write<T>(work: () => T): T {
    return transaction(this.db, work);
  }

  /** A transaction whose deletions overwrite the text on disk, in the database and in its journal. */
  erase<T>(work: () => T): T {
    this.db.exec('PRAGMA secure_delete = ON');
    try {
      return transaction(this.db, work);
    } finally {
      this.db.exec('PRAGMA secure_delete = FAST; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  close(): void {
    this.db.close();
  }
}

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
  if (version > schemaVersion)
    throw new DroverError(
      'newer_database',
      `${file} has version ${version}, this Drover knows ${schemaVersion}.`,
    );
};
