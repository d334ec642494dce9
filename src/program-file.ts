import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the path of the program: main.js is beside every bundle. */
export const programFile = (): string => {
  const here = fileURLToPath(import.meta.url);
  return resolve(dirname(here), here.endsWith('.ts') ? 'main.ts' : 'main.js');
};
