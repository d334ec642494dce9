/** Creates DROVER_HOME. */
import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';

/** Creates DROVER_HOME, private to the user; throws when that is not possible, or nothing can be written there. */
export const prepareHome = (paths: Paths): void => {
  const folders = [paths.home, paths.spool, paths.log];
  try {
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(paths.home, 0o700);
    for (const folder of folders) accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DroverError(
      'failed',
      `${paths.home} cannot be used: ${reasonOf(error as NodeJS.ErrnoException)}`,
      'Set DROVER_HOME to a folder of your own that can be written.',
    );
  }
};

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => reasons[code] ?? message;

const reasons: { [code: string]: string | undefined } = {
  EROFS: 'the file system is read-only.',
  EACCES: 'permission denied.',
  EPERM: 'permission denied.',
  ENOTDIR: 'a part of its path is not a folder.',
  EEXIST: 'there is a file in its place.',
  ENOSPC: 'the disk is full.',
};
