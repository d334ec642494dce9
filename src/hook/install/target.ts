/** The file behind a settings file's name: which one it is, what it holds, and whether it may be written. */
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

/** The file behind a chain of links, whether it exists or not. */
export const follow = (name: string): string => {
  let at = resolve(name);
  for (let hops = 0; hops < 40; hops += 1) {
    at = join(realFolder(dirname(at)), basename(at));
    const link = attempt(() => (lstatSync(at).isSymbolicLink() ? readlinkSync(at) : null));
    if (!link) return at;
    at = resolve(dirname(at), link);
  }
  throw new DroverError('bad_settings', `${name} is a loop of links.`);
};

/** The bytes of a file; null when there is none. */
export const readBytes = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return null;
    throw new DroverError('bad_settings', `${file} cannot be read: ${String(error)}`);
  }
};

/** The text of a file whose bytes it can give back: anything but UTF-8 is refused. */
export const decode = (bytes: Buffer, name: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DroverError('bad_settings', `${name} is not UTF-8. The file was left untouched.`);
  }
};

/** Throws where a rename would get round a protection. Root passes every access check, so the mode bits count too. */
export const checkWritable = (target: string, name: string): Stats | null => {
  const no = (why: string): never => {
    const shown = target === resolve(name) ? name : `${name} (that is ${target})`;
    const hint = 'Make it writable, or choose another --scope.';
    throw new DroverError('bad_settings', `${shown} ${why}. It was left untouched.`, hint);
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

/** The result, or null where the system says no. */
export const attempt = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** The real path of a folder, also of one that is yet to be made. */
const realFolder = (folder: string): string => {
  const real = attempt(() => realpathSync(folder));
  if (real || folder === dirname(folder)) return real ?? folder;
  return join(realFolder(dirname(folder)), basename(folder));
};

const may = (path: string): boolean => attempt(() => accessSync(path, constants.W_OK) ?? true) ?? false;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
