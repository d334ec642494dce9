/** Databases that SQLite can no longer read. They are moved aside, not deleted. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Number kept of each database: one can have gigabytes. */
const copiesKept = 2;

const endings = ['', '-wal', '-shm'];

export interface DamagedFile {
  path: string;
  /** When it was moved aside, ms. */
  at: number;
}

/** Moves a database and its journal aside; returns the new path. */
export const moveAside = (file: string, now: number): string => {
  const folder = join(dirname(file), 'damaged');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, `${basename(file)}.${now}`);
  for (const ending of endings)
    if (statSync(file + ending, { throwIfNoEntry: false })) renameSync(file + ending, target + ending);
  const old = listDamaged(folder).filter(({ path }) => path.startsWith(join(folder, basename(file))));
  for (const { path } of old.slice(0, -copiesKept)) remove(path);
  return target;
};

/** Lists the databases that were moved aside, oldest first. */
export const listDamaged = (folder: string): DamagedFile[] => {
  try {
    return readdirSync(folder)
      .flatMap(name => {
        const at = Number(/^[\w.]+\.db\.(\d{1,15})$/.exec(name)?.[1] ?? Number.NaN);
        return Number.isNaN(at) ? [] : [{ path: join(folder, name), at }];
      })
      .sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
  } catch {
    return [];
  }
};

/** Deletes them: single sessions cannot be deleted from a file that cannot be read. */
export const removeDamaged = (folder: string): void => {
  for (const { path } of listDamaged(folder)) remove(path);
};

const remove = (path: string): void => {
  for (const ending of endings) rmSync(path + ending, { force: true });
};
