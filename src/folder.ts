/** Folders as people name them: by links, with or without a slash behind them. */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** A folder is the same by whatever link it was named; one that is gone is what it is called. */
export const realFolder = (dir: string): string => {
  try {
    return realpathSync(resolve(dir));
  } catch {
    return resolve(dir);
  }
};

/** Whether a folder is another one, or lies below it. Both are real. */
export const isWithin = (dir: string, outer: string): boolean =>
  dir === outer || dir.startsWith(outer.endsWith(sep) ? outer : outer + sep);
