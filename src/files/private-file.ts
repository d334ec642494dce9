/** Files that only their owner can read. */
import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all. */
export const writePrivate = (file: string, text: string): void => {
  const temp = `${file}.${process.pid}`;
  writeFileSync(temp, text, { mode: 0o600 });
  renameSync(temp, file);
};

/** Creates a file with exactly this mode, whatever the umask; throws when it exists. */
export const createPrivate = (file: string, text: string, mode: number): void => {
  writeFileSync(file, text, { mode, flag: 'wx' });
  chmodSync(file, mode);
};
