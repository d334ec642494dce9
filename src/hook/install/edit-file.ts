/**
 * Edits a file that other programs write too: read, edit, write a copy, read again, rename. Edits the target of a symlink;
 * keeps mode and owner. Starts over if the file changed in between.
 */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { attempt, checkWritable, decode, follow, readBytes } from './target.ts';

export interface Edited {
  /** Target of all links. */
  target: string;
  /** Null if the file did not exist, or no longer does. */
  before: string | null;
  after: string | null;
}

export interface Watcher {
  /** Called with the content before it is replaced. */
  keep?: (target: string, before: string) => void;
  /** Called with the topmost folder that was created. */
  made?: (folder: string) => void;
}

/** Applies `edit` to the file (null if there is none). Writes nothing if the text does not change. */
export const editFile = (
  name: string,
  edit: (before: string | null, target: string) => string | null,
  watcher: Watcher = {},
): Edited => {
  for (let round = 0; round < rounds; round += 1) {
    const target = follow(name);
    const bytes = readBytes(target);
    const before = bytes && decode(bytes, name);
    const after = edit(before, target);
    if (after === before) return { target, before, after };

    if (before === null) makeFolder(name, dirname(target), watcher);
    const stats = checkWritable(target, name);
    if (before !== null) watcher.keep?.(target, before);
    const same = () => follow(name) === target && equal(readBytes(target), bytes);
    if (put(name, target, after, stats, same)) return { target, before, after };
  }
  throw new DroverError(
    'bad_settings',
    `${name} keeps changing. It was not changed by Drover.`,
    'Try again in a moment.',
  );
};

/** Claude writes its settings once or twice in a row. */
const rounds = 5;

const makeFolder = (name: string, folder: string, { made }: Watcher): void => {
  try {
    const first = mkdirSync(folder, { recursive: true });
    if (first) made?.(first);
  } catch (error) {
    throw new DroverError('bad_settings', `${name} cannot be created: ${String(error)}`);
  }
};

/** Writes the file, or deletes it for null, if `same` still holds just before. */
const put = (
  name: string,
  target: string,
  after: string | null,
  stats: Stats | null,
  same: () => boolean,
): boolean => {
  const temp = join(dirname(target), `.${basename(target)}.drover-${randomUUID()}`);
  try {
    if (after !== null) writeBeside(temp, after, stats);
    if (!same()) return false;
    if (after === null) rmSync(target);
    else renameSync(temp, target);
    return true;
  } catch (error) {
    throw new DroverError('bad_settings', `${name} cannot be written: ${String(error)}. It was not changed.`);
  } finally {
    rmSync(temp, { force: true });
  }
};

const writeBeside = (temp: string, text: string, stats: Stats | null): void => {
  const fd = openSync(temp, 'wx', stats ? 0o600 : 0o666);
  try {
    writeFileSync(fd, text);
    if (stats) {
      // Only root can change the owner; anyone can keep a group they belong to.
      attempt(() => fchownSync(fd, stats.uid, stats.gid));
      fchmodSync(fd, stats.mode & 0o7777);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

const equal = (a: Buffer | null, b: Buffer | null): boolean => (a && b ? a.equals(b) : a === b);
