/** One daemon per DROVER_HOME: a lock the kernel releases when its holder dies, however it dies. */
import { chmodSync, rmSync } from 'node:fs';
import { isDamage } from './sqlite-error.ts';
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
    if (!isDamage(error)) throw error;
    // It holds nothing. A daemon that held it sees that its file is gone, and leaves.
    rmSync(file);
    return takeLock(file);
  }
  return { release: () => db.close() };
};
