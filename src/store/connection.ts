/**
 * A database that is replaced by a new one when it turns out to be damaged, also while it is in use. Statements are
 * prepared from their text when they run, so they continue to work with the new database.
 */
import { chmodSync } from 'node:fs';
import { type Clock, systemClock } from '../clock.ts';
import { moveAside } from './damaged.ts';
import { isDamage } from './sqlite-error.ts';
import { type Database, openDatabase, reopenDatabase, type Statement, transaction } from './sqlite.ts';

export type OnError = (message: string, error: unknown) => void;

export interface ConnectionSetup {
  file: string;
  /** Prepares a database, new or existing. */
  prepare: (db: Database) => void;
  /** Called with a new database that replaces a damaged one, before it is used. */
  renew?: (db: Database) => void;
  onError: OnError;
  clock?: Clock;
}

export class Connection implements Database {
  private readonly prepared = new Map<string, Statement>();
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly setup: ConnectionSetup,
    private db: Database,
  ) {}

  static async open(setup: ConnectionSetup): Promise<Connection> {
    try {
      return new Connection(setup, openPrepared(await openDatabase(setup.file), setup));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return new Connection(setup, replaceDamaged(setup, error));
    }
  }

  get isTransaction(): boolean {
    return this.db.isTransaction;
  }

  exec(sql: string): void {
    this.attempt(() => this.db.exec(sql));
  }

  prepare(sql: string): Statement {
    return {
      run: (...values) => this.attempt(() => this.statement(sql).run(...values)),
      get: (...values) => this.attempt(() => this.statement(sql).get(...values)),
      all: (...values) => this.attempt(() => this.statement(sql).all(...values)),
      iterate: (...values) => this.rows(sql, values),
    };
  }

  /** Runs `work` in one transaction. */
  transaction<T>(work: () => T): T {
    return this.attempt(() => transaction(this, work));
  }

  /** Calls `listener` when a new, empty database has replaced a damaged one. */
  onReplaced(listener: () => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    this.prepared.clear();
    this.db.close();
  }

  private statement(sql: string): Statement {
    const known = this.prepared.get(sql) ?? this.db.prepare(sql);
    this.prepared.set(sql, known);
    return known;
  }

  // A separate cursor: rows may be read while the same query runs elsewhere.
  private *rows(sql: string, values: Parameters<Statement['iterate']>): ReturnType<Statement['iterate']> {
    try {
      yield* this.db.prepare(sql).iterate(...values);
    } catch (error) {
      this.replaceIfDamaged(error);
      throw error;
    }
  }

  private attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.replaceIfDamaged(error);
      throw error;
    }
  }

  /** Replaces the database if the error shows that it is damaged; inside a transaction, after it. */
  private replaceIfDamaged(error: unknown): void {
    if (!isDamage(error) || this.isTransaction) return;
    this.close();
    this.db = replaceDamaged(this.setup, error);
    for (const listener of this.listeners) listener();
  }
}

const openPrepared = (db: Database, { file, prepare }: ConnectionSetup): Database => {
  try {
    chmodSync(file, 0o600);
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Moves a damaged database aside and opens a new one. */
const replaceDamaged = (setup: ConnectionSetup, error: unknown): Database => {
  const { file, renew, onError, clock = systemClock } = setup;
  const path = moveAside(file, clock.now());
  onError(`${file} was damaged. It was moved to ${path}, and a new one was started`, error);
  const db = openPrepared(reopenDatabase(file), setup);
  renew?.(db);
  return db;
};
