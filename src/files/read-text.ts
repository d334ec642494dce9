/** Reads the text of a file; null if there is none. */
import { readFileSync } from 'node:fs';

export const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
