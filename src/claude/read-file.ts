/** A file that may be gone or not be ours, opened for as long as it is read. */
import { closeSync, openSync } from 'node:fs';

/** What `read` makes of it; null when it cannot be opened or read. */
export const readFrom = <T>(path: string, read: (fd: number) => T): T | null => {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return read(fd);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
};
