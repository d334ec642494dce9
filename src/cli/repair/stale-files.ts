/** What a daemon that is gone has left: its registration, its socket, and the mark of a start that never ended. */
import { lstatSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import { isHomeFree, whileHomeFree } from '../../daemon/home-lock.ts';
import { shortSocketName } from '../../daemon/short-socket.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import type { Repair } from './repair.ts';

export const staleFileRepairs = async (paths: Paths): Promise<Repair[]> => {
  const stale = staleFiles(paths);
  // While a daemon starts or stops, it has the lock, and the files are its own.
  if (stale.length === 0 || !(await isHomeFree(paths))) return [];
  return [
    {
      name: 'stale files',
      says: 'stale files of a stopped daemon',
      changes: stale.map(file => `remove ${file}`),
      run: async () => {
        if (!(await whileHomeFree(paths, () => remove(paths))))
          throw new Error('a daemon was started in the meantime; nothing was removed');
      },
    },
  ];
};

/** What is stale is looked up again: a daemon may have run since the person was asked. */
const remove = (paths: Paths): void => {
  for (const file of staleFiles(paths)) rmSync(file, { recursive: file === paths.starting, force: true });
};

const staleFiles = (paths: Paths): string[] => {
  const files = [paths.daemon, paths.pid].filter(file => statOf(file)?.isFile());
  const sockets = [...new Set([paths.socket, ...registeredSocket(paths)])].filter(file =>
    statOf(file)?.isSocket(),
  );
  const starting = statOf(paths.starting);
  const isOld = starting && Date.now() - starting.mtimeMs > limits.daemon.startTimeout;
  return [...files, ...sockets, ...(isOld ? [paths.starting] : [])];
};

/** The short socket that daemon.json names. A file with any other name is not of this home. */
const registeredSocket = (paths: Paths): string[] => {
  try {
    const { socket } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { socket: unknown };
    return typeof socket === 'string' && basename(socket) === shortSocketName(paths.home) ? [socket] : [];
  } catch {
    return [];
  }
};

const statOf = (file: string): Stats | undefined => {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};
