/** Compare folders that may be named through links or with a trailing slash. */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Resolve links; a folder that does not exist keeps its name. */
export const realFolder = (dir: string): string => {
  try {
    return realpathSync(resolve(dir));
  } catch {
    return resolve(dir);
  }
};

/** Check whether a folder is `outer` or lies below it. Both must be resolved. */
export const isWithin = (dir: string, outer: string): boolean =>
  dir === outer || dir.startsWith(outer.endsWith(sep) ? outer : outer + sep);
