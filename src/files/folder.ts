/** Compare folders that may be named through links or with a trailing slash. */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/**
 * Resolve links; a folder that does not exist keeps its name. The system's own resolver also returns the spelling on disk where
 * upper and lower case are the same.
 */
export const realFolder = (dir: string, realPath: (path: string) => string = realpathSync.native): string => {
  try {
    return realPath(resolve(dir));
  } catch {
    return resolve(dir);
  }
};

/** Drop folders that are the same as an earlier one under another name. */
export const distinctFolders = (dirs: string[], realPath?: (path: string) => string): string[] => {
  const found = new Map<string, string>();
  for (const dir of dirs) {
    const real = realFolder(dir, realPath);
    if (!found.has(real)) found.set(real, dir);
  }
  return [...found.values()];
};

/** Check whether a folder is `outer` or lies below it. Both must be resolved. */
export const isWithin = (dir: string, outer: string): boolean =>
  dir === outer || dir.startsWith(outer.endsWith(sep) ? outer : outer + sep);
