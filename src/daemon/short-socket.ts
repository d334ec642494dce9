/** A short path for the Unix socket, for a DROVER_HOME whose path is too long. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import type { Env } from '../paths.ts';

/** Returns a path in a private folder; null when there is no such folder. */
export const shortSocket = (home: string, env: Env): string | null => {
  const uid = process.getuid?.() ?? 0;
  const name = shortSocketName(home);
  const folders = [
    ...(env.XDG_RUNTIME_DIR?.startsWith('/') ? [join(env.XDG_RUNTIME_DIR, 'drover')] : []),
    join(env.TMPDIR?.startsWith('/') ? env.TMPDIR : tmpdir(), `drover-${uid}`),
    join('/tmp', `drover-${uid}`),
  ];
  return (
    folders
      .map(folder => ({ folder, path: join(folder, name) }))
      .find(({ folder, path }) => Buffer.byteLength(path) <= limits.http.socketPath && isPrivate(folder, uid))
      ?.path ?? null
  );
};

/** The name of that socket, which no other home has. */
export const shortSocketName = (home: string): string =>
  `${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`;

/** Creates the folder if it is missing. Anybody may write to /tmp, so a folder of another user, or one open to others, is not used. */
const isPrivate = (folder: string, uid: number): boolean => {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists, or lstat reports below that it does not.
  }
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
};
