/** Reads the ends of a transcript, which may have any length. */
import { fstatSync, readSync } from 'node:fs';
import { readFrom } from './read-file.ts';

/** Enough for the last turn, unless a single line is larger. */
const tailBytes = 512 * 1024;

/** Reads the end; null when the file cannot be read. */
export const readTail = (path: string): { text: string; fromStart: boolean } | null =>
  readFrom(path, fd => {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - from);
    const length = readSync(fd, bytes, 0, bytes.length, from);
    return { text: bytes.toString('utf8', 0, length), fromStart: from === 0 };
  });

/** Reads the beginning; null when the file cannot be read. */
export const readHead = (path: string, maxBytes: number): string | null =>
  readFrom(path, fd => {
    const bytes = Buffer.allocUnsafe(maxBytes);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, maxBytes, 0));
  });
