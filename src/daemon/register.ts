/** What the daemon leaves on disk so that others find it: daemon.json, the pid for the emitter, and the token. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { Paths } from '../paths.ts';

export interface Registration {
  pid: number;
  url: string;
  version: string;
  startedAt: number;
}

/** DROVER_HOME, private. */
export const prepareHome = (paths: Paths): void => {
  try {
    for (const dir of [paths.home, paths.spool, paths.log]) mkdirSync(dir, { recursive: true, mode: 0o700 });
    chmodSync(paths.home, 0o700);
  } catch (error) {
    throw new DroverError(
      'failed',
      `${paths.home} cannot be used: ${(error as Error).message}`,
      'Set DROVER_HOME to a folder you own.',
    );
  }
};

/** The bearer token; made once, kept as long as the file is. */
export const ensureToken = (file: string): string => {
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (kept.length >= 20) return kept;
  } catch {
    /* not there yet */
  }
  const token = randomBytes(32).toString('base64url');
  writeAtomic(file, `${token}\n`);
  return token;
};

export const register = (paths: Paths, registration: Registration): void => {
  writeAtomic(paths.daemon, `${JSON.stringify(registration, null, 2)}\n`);
  writeAtomic(paths.pid, `${registration.pid}\n`);
};

export const unregister = (paths: Paths): void => {
  for (const file of [paths.daemon, paths.pid, paths.socket]) rmSync(file, { force: true });
};

const writeAtomic = (file: string, text: string): void => {
  const temp = `${file}.${process.pid}`;
  writeFileSync(temp, text, { mode: 0o600 });
  renameSync(temp, file);
};
