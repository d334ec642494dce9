/** Tell whether a file has changed. */
import { statSync } from 'node:fs';

/** Return a text that differs whenever the file does. */
export const stampOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.mode}` : 'none';
};
