/**
 * From the name of a project's folder back to the directory. The encoding loses what it replaces, so the name is held
 * against real directories: from the root down, each name encoded and compared, longest first, and every way that fits is
 * walked to its end. What a path has used up of the name follows from the path, so no directory is entered twice and even
 * links in a circle come to an end. Nothing is guessed: all that fits is given back, and whoever asked must choose.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { encoded, slugLength, slugOf } from '../claude/slug.ts';
import { limits } from '../limits.ts';

export interface Decoded {
  /** Every directory whose folder would have this name. */
  found: string[];
  /** False when the bound of the walk was reached: there may be more. */
  whole: boolean;
}

/** The directories on disk, as far as the decoder asks; a test has its own. */
export interface Disk {
  /** Names of the directories below a directory, links to directories too; empty for one that cannot be read. */
  below: (dir: string, fits: (name: string) => boolean) => string[];
  /** The directory behind all links. */
  real: (dir: string) => string;
}

/** Every directory that a slug can stand for. `cwd` counts too when it fits, even where the way to it cannot be read. */
export const decode = (slug: string, cwd: string | null, disk: Disk = realDisk): Decoded => {
  const { found, whole } = walk(slug, disk);
  if (cwd !== null && slugOf(cwd) === slug && !found.includes(cwd)) found.push(cwd);
  return { found: distinct(found, disk), whole };
};

const walk = (slug: string, disk: Disk): Decoded => {
  const found: string[] = [];
  const open = [{ dir: '/', used: '' }];
  for (let reads = 0; ; reads++) {
    const next = open.pop();
    if (!next) return { found, whole: true };
    if (reads === limits.resume.decodeReads) return { found, whole: false };
    const below = (name: string) => `${next.used}-${encoded(name)}`;
    const names = disk.below(next.dir, name => leads(below(name), slug));
    for (const name of names.sort((a, b) => a.length - b.length)) {
      const used = below(name);
      const dir = join(next.dir, name);
      if (used.length > slugLength ? slugOf(dir) === slug : used === slug) found.push(dir);
      if (used.length < slug.length || used.length > slugLength) open.push({ dir, used });
    }
  }
};

/** A path with this encoding is the wanted one, or may have it below. Past the cut all that begins alike may. */
const leads = (used: string, slug: string): boolean => {
  if (slug.length <= slugLength)
    return slug.startsWith(used) && (used.length === slug.length || slug[used.length] === '-');
  const start = slug.slice(0, slugLength);
  return used.length >= slugLength
    ? used.startsWith(start)
    : start.startsWith(used) && start[used.length] === '-';
};

/** Two paths to one directory are one, by its own name where that fits. */
const distinct = (dirs: string[], disk: Disk): string[] => {
  const byReal = new Map<string, string>();
  for (const dir of dirs) {
    const real = disk.real(dir);
    if (!byReal.has(real) || dir === real) byReal.set(real, dir);
  }
  return [...byReal.values()];
};

const realDisk: Disk = {
  below: (dir, fits) => {
    try {
      return readdirSync(dir, { withFileTypes: true })
        .filter(entry => fits(entry.name) && isDirectory(dir, entry))
        .map(entry => entry.name);
    } catch {
      return [];
    }
  },
  real: dir => {
    try {
      return realpathSync(dir);
    } catch {
      return dir;
    }
  },
};

const isDirectory = (dir: string, entry: Dirent): boolean => {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(dir, entry.name)).isDirectory();
  } catch {
    return false;
  }
};
