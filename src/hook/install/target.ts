/** Resolves, reads and checks the file that a settings path leads to. */
import {
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DroverError } from '../../contract/error.ts';

/** Follows links to the file, which may not exist. */
export const follow = (name: string): string => {
  let at = resolve(name);
  for (let hops = 0; hops < 40; hops += 1) {
    at = join(resolveMissingFolder(dirname(at)), basename(at));
    const link = attempt(() => (lstatSync(at).isSymbolicLink() ? readlinkSync(at) : null));
    if (!link) return at;
    at = resolve(dirname(at), link);
  }
  throw new DroverError('bad_settings', `${name} is a circular link. It was not changed.`);
};

/** Reads a file; null if it does not exist. */
export const readBytes = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return null;
    throw new DroverError('bad_settings', `${file} cannot be read: ${String(error)}. It was not changed.`);
  }
};

/** Decodes a file. Only UTF-8 can be restored byte for byte, so anything else is rejected. */
export const decode = (bytes: Buffer, name: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DroverError('bad_settings', `${name} is not UTF-8. The file was not changed.`);
  }
};

/** Throws if a rename would bypass a write protection. Also checks mode bits, because root passes every access check. */
export const checkWritable = (target: string, name: string): Stats | null => {
  const no = (why: string): never => {
    const shown = target === resolve(name) ? name : `${name} (which is ${target})`;
    const hint = 'Make it writable, or choose another --scope.';
    throw new DroverError('bad_settings', `${shown} ${why}. It was not changed.`, hint);
  };
  const folder = dirname(target);
  if ((statSync(folder).mode & 0o222) === 0 || !may(folder)) no(`is in a read-only folder, ${folder}`);
  const stats = attempt(() => statSync(target));
  if (!stats) return null;
  if (!stats.isFile()) no('is not a file');
  if ((stats.mode & 0o200) === 0 || !may(target)) no('is read-only');
  const me = process.getuid?.() ?? stats.uid;
  if (me !== 0 && me !== stats.uid) no('belongs to another user');
  return stats;
};

/** Returns the result, or null on an error. */
export const attempt = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Returns the real path of a folder that may not exist yet. */
const resolveMissingFolder = (folder: string): string => {
  const real = attempt(() => realpathSync(folder));
  if (real || folder === dirname(folder)) return real ?? folder;
  return join(resolveMissingFolder(dirname(folder)), basename(folder));
};

const may = (path: string): boolean => attempt(() => accessSync(path, constants.W_OK) ?? true) ?? false;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
