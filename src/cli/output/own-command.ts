/** Finds the command with which a user can run this program again. */
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Env } from '../../paths.ts';
import { quote } from '../../quote.ts';

/** Returns `drover` if PATH leads to this program, otherwise `node` and its file, as in a clone: absolute, because it is run in another terminal. */
export const ownCommand = (env: Env, cwd: string, program = process.argv[1] ?? ''): string => {
  const own = realPath(program) ?? program;
  const isOnPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(folder => isAbsolute(folder))
    .some(folder => realPath(join(folder, 'drover')) === own);
  if (isOnPath) return 'drover';
  const file = resolve(cwd, own);
  return `node ${/^[\w./@+=:,-]+$/.test(file) ? file : quote(file)}`;
};

const realPath = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};
