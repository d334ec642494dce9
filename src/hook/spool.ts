/** The files of the spool folder, in order of arrival. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  file: string;
  /** The name of the file. It is unique per event, so a file that is read twice is the same delivery. */
  key: string;
  /** When the hook wrote it, ms. */
  at: number;
  size: number;
}

/** Lists the files of the spool, oldest first, and entries that are not regular files. */
export const listSpool = (dir: string): { entries: Entry[]; odd: { file: string; reason: string }[] } => {
  const found: (Entry & { time: bigint; pid: number })[] = [];
  const odd: { file: string; reason: string }[] = [];
  for (const name of readdirSync(dir)) {
    const file = join(dir, name);
    const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (!facts) continue;
    if (!facts.isFile()) {
      odd.push({ file, reason: 'not a regular file' });
      continue;
    }
    const time = facts.mtimeNs;
    found.push({
      file,
      key: name,
      at: Number(time / 1_000_000n),
      size: Number(facts.size),
      time,
      pid: Number.parseInt(name, 10) || 0,
    });
  }
  // File times have a resolution of a few milliseconds; within that a later process mostly has the higher pid.
  found.sort((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : a.pid - b.pid || (a.key < b.key ? -1 : 1),
  );
  return { entries: found, odd };
};

/** Reads a spool file; null when it is gone or no longer a regular file. Never follows a link. */
export const readEntry = (file: string): Buffer | null => {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile()) return null;
    const bytes = Buffer.allocUnsafe(facts.size);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(fd, bytes, length, bytes.length - length, length);
      if (got === 0) break;
      length += got;
    }
    return bytes.subarray(0, length);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
};
