/** Reads files that may be missing, of another kind, or not readable. Never waits for a writer. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Opens a regular file for reading; throws for anything else. Without O_NONBLOCK a FIFO would block the daemon for ever. */
export const openRegular = (path: string): number => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${path} is not a file`);
};

/** Opens a file for `read` and returns its result; null when it cannot be opened or read. */
export const readFrom = <T>(path: string, read: (fd: number) => T): T | null => {
  let fd: number;
  try {
    fd = openRegular(path);
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

/** The whole text of a small file; null when it cannot be read or is larger than `maxBytes`. */
export const readSmall = (path: string, maxBytes: number): string | null =>
  readFrom(path, fd => {
    const bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, maxBytes) + 1);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    return length > maxBytes ? null : bytes.toString('utf8', 0, length);
  });
