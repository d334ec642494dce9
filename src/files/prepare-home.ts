/** Creates DROVER_HOME. */
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';

/** Creates DROVER_HOME, private to the user; throws when that is not possible, or nothing can be written there. */
export const prepareHome = (paths: Paths): void => {
  const folders = [paths.home, paths.spool, paths.log];
  try {
    for (const folder of folders) makeFolder(folder);
    chmodSync(paths.home, 0o700);
    for (const folder of folders) accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableHome(paths, error as NodeJS.ErrnoException);
  }
};

/** The error for a home that cannot be read or written. */
export const unusableHome = ({ home }: Paths, { code = '', message }: NodeJS.ErrnoException): DroverError =>
  new DroverError(
    'failed',
    `${home} cannot be used: ${reasons[code] ?? message}`,
    'Set DROVER_HOME to a folder of your own that can be written.',
  );

const reasons: { [code: string]: string | undefined } = {
  EROFS: 'the file system is read-only.',
  EACCES: 'permission denied.',
  EPERM: 'permission denied.',
  ENOTDIR: 'a part of its path is not a folder.',
  EEXIST: 'there is a file in its place.',
  ENOENT: 'no folder can be made there.',
  ENOSPC: 'the disk is full.',
};

/** One folder after the other: mkdir of Node with `recursive` never returns in /proc, and names no reason on a read-only disk. */
const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has just made it.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
