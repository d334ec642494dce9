/** A file that may be gone, of another kind or not be ours, opened for as long as it is read. Nothing here waits for a writer. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Opens a regular file for reading; throws for everything else. Without O_NONBLOCK a FIFO would hold the daemon up for ever. */
export const openRegular = (path: string): number => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${path} is not a file`);
};

/** What `read` makes of it; null when it cannot be opened or read. */
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

/** All of a small file; null when it cannot be read, or has more bytes than this. */
export const readSmall = (path: string, most: number): string | null =>
  readFrom(path, fd => {
    const bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, most) + 1);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    return length > most ? null : bytes.toString('utf8', 0, length);
  });
