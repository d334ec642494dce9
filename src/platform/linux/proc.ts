/** Read the files of /proc. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Read a short file of /proc. These are read often, so they share one buffer and their size is not checked. */
export const readProc = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
};

const bytes = Buffer.alloc(4096);

/** Read the fields of /proc/<pid>/stat from the third on. Throws when the process is gone. */
export const statFields = (pid: number): string[] => {
  const stat = readProc(`/proc/${pid}/stat`);
  // The command's name is in parentheses and may contain anything, so count the fields after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Run a reading; null when it fails because the process is gone or belongs to another user. */
export const orNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
