/** SQLite behind one file: node:sqlite if Node has it, else a prebuilt package with the same API. */
import type { DatabaseSync } from '@photostructure/sqlite';

type Native = InstanceType<typeof DatabaseSync>;
export type Statement = Pick<ReturnType<Native['prepare']>, 'run' | 'get' | 'all' | 'iterate'>;
export interface Database extends Pick<Native, 'exec' | 'close' | 'isTransaction'> {
  prepare: (sql: string) => Statement;
}

type Sqlite = { DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => Database };

let loaded: Sqlite | undefined;

export const openDatabase = async (file: string, options?: { readOnly?: boolean }): Promise<Database> => {
  loaded ??= builtin() ?? (await import('@photostructure/sqlite'));
  return new loaded.DatabaseSync(file, options ?? {});
};

/** Opens another database once SQLite has been loaded. */
export const reopenDatabase = (file: string): Database => {
  if (!loaded) throw new Error('SQLite has not been loaded yet.');
  return new loaded.DatabaseSync(file);
};

/** Runs `work` in one transaction. */
export const transaction = <T>(db: Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite rolls back by itself on a full disk, so this ROLLBACK may fail.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

// Node 22 and 24 warn that node:sqlite is experimental. The warning does not help users.
const builtin = (): Sqlite | undefined => {
  const { getBuiltinModule } = process as { getBuiltinModule?: (id: string) => unknown };
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
};
