/**
 * Find the directories that a project folder's name (its slug) can stand for. The encoding is lossy, so real directories are
 * walked from the root: each name is encoded and compared, and every match is followed. How much of the slug a path
 * has used follows from the path, so no directory is read twice and circular links end. The caller chooses among the matches.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { encoded, slugLength, slugOf } from '../claude/slug.ts';
import { limits } from '../limits.ts';

export interface Decoded {
  /** Every directory that encodes to this slug. */
  found: string[];
  /** False when the walk reached its limit and there may be more. */
  isComplete: boolean;
}

/** Access to the directories on disk; tests have their own. */
export interface Disk {
  /** Names of matching subdirectories, including links to directories; empty for an unreadable one. */
  below: (dir: string, matches: (name: string) => boolean) => string[];
  /** Resolves all links. */
  real: (dir: string) => string;
}

/** List every directory that a slug can stand for. The current directory is tried first: if it matches, nothing else is looked for. */
export const decodeSlug = (slug: string, cwd: string | null, disk: Disk = realDisk): Decoded => {
  if (cwd !== null && slugOf(cwd) === slug) return { found: [cwd], isComplete: true };
  const { found, isComplete } = walkDirectories(slug, disk);
  return { found: distinct(found, disk), isComplete };
};

const walkDirectories = (slug: string, disk: Disk): Decoded => {
  const found: string[] = [];
  const open = [{ dir: '/', used: '' }];
  for (let reads = 0; ; reads++) {
    const next = open.pop();
    if (!next) return { found, isComplete: true };
    if (reads === limits.resume.decodeReads) return { found, isComplete: false };
    const usedBy = (name: string) => `${next.used}-${encoded(name)}`;
    const names = disk.below(next.dir, name => canLeadTo(slug, usedBy(name)));
    for (const name of names.sort((a, b) => a.length - b.length)) {
      const used = usedBy(name);
      const dir = join(next.dir, name);
      if (used.length > slugLength ? slugOf(dir) === slug : used === slug) found.push(dir);
      if (used.length < slug.length || used.length > slugLength) open.push({ dir, used });
    }
  }
};

/** Check whether a path with the encoding `used` is the wanted one or lies above it. Long slugs are cut, so only their start counts. */
const canLeadTo = (slug: string, used: string): boolean => {
  if (slug.length <= slugLength)
    return slug.startsWith(used) && (used.length === slug.length || slug[used.length] === '-');
  const start = slug.slice(0, slugLength);
  return used.length >= slugLength
    ? used.startsWith(start)
    : start.startsWith(used) && start[used.length] === '-';
};

/** Merge paths to the same directory, preferring its real path. */
const distinct = (dirs: string[], disk: Disk): string[] => {
  const byReal = new Map<string, string>();
  for (const dir of dirs) {
    const real = disk.real(dir);
    if (!byReal.has(real) || dir === real) byReal.set(real, dir);
  }
  return [...byReal.values()];
};

const realDisk: Disk = {
  below: (dir, matches) => {
    try {
      return readdirSync(dir, { withFileTypes: true })
        .filter(entry => matches(entry.name) && isDirectory(dir, entry))
        .map(entry => entry.name);
    } catch {
      return [];
    }
  },
  real: dir => {
    try {
      return realpathSync.native(dir);
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
