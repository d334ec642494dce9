/** A file that is its owner's alone, written whole or not at all. */
import { renameSync, writeFileSync } from 'node:fs';

export const writePrivate = (file: string, text: string): void => {
  const temp = `${file}.${process.pid}`;
  writeFileSync(temp, text, { mode: 0o600 });
  renameSync(temp, file);
};
