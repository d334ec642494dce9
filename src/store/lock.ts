/** One daemon per DROVER_HOME: a lock that the kernel releases when its process dies. */
import { chmodSync, rmSync } from 'node:fs';
import { isDamage, isLocked } from './sqlite-error.ts';
import { openDatabase } from './sqlite.ts';

/** Takes the lock, or returns null when another process has it. */
export const takeLock = async (file: string): Promise<{ release: () => void } | null> => {
  const db = await openDatabase(file);
  try {
    chmodSync(file, 0o600);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isLocked(error)) return null;
    if (!isDamage(error)) throw error;
    // The file is only the lock. A daemon that had it notices that it is gone, and stops.
    rmSync(file);
    return takeLock(file);
  }
  return { release: () => db.close() };
};
