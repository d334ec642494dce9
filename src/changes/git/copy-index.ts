/** Copies the index of a repository: `git diff` refreshes the one it reads, and locks it while it does. */
import { constants, createWriteStream } from 'node:fs';
import { open, utimes } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { limits } from '../../limits.ts';

/** Throws for anything but a regular file of a sane size. Never waits for a writer of a FIFO. */
export const copyIndex = async (from: string, to: string): Promise<void> => {
  const file = await open(from, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > limits.changes.indexBytes)
      throw new Error('The index of this repository cannot be read.');
    const end = limits.changes.indexBytes - 1;
    await pipeline(file.createReadStream({ autoClose: false, end }), createWriteStream(to, { mode: 0o600 }));
    // Git reads files that changed when the index was written or later. The copy must not look newer than it is.
    const written = Math.floor(stats.mtimeMs / 1_000);
    await utimes(to, written, written);
  } finally {
    await file.close();
  }
};
