/** Deletes Drover's own files from DROVER_HOME by name, so that other files there are kept. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../../paths.ts';
import { attempt } from './target.ts';

/** Returns the paths that were kept. */
export const deleteData = (paths: Paths): string[] => {
  const beside = ['-wal', '-shm', '-journal'].flatMap(end => [
    paths.db + end,
    paths.search + end,
    paths.usage + end,
  ]);
  const own = Object.values(paths).filter(path => path !== paths.home);
  for (const path of [...own, ...beside]) rmSync(path, { recursive: true, force: true });
  attempt(() => rmdirSync(paths.home));
  if (!existsSync(paths.home)) return [];
  return (attempt(() => readdirSync(paths.home)) ?? []).map(name => join(paths.home, name));
};
