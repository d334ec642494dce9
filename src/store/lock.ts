/** One daemon per DROVER_HOME: a lock the kernel releases when its holder dies, however it dies. */
import { chmodSync } from 'node:fs';
import { openDatabase } from './sqlite.ts';

/** Takes the lock, or returns null when another process holds it. */
export const takeLock = async (file: string): Promise<{ release: () => void } | null> => {
  const db = await openDatabase(file);
  try {
    chmodSync(file, 0o600);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (/locked|busy/i.test(String(error))) return null;
    throw error;
  }
  return { release: () => db.close() };
};
