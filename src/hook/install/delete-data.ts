/** Deletes what Drover keeps in DROVER_HOME, by name: a folder that somebody shares with other things loses only ours. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../../paths.ts';
import { attempt } from './target.ts';

/** Gives back what was left behind because it is not ours. */
export const deleteData = (paths: Paths): string[] => {
  const beside = ['-wal', '-shm', '-journal'].flatMap(end => [paths.db + end, paths.search + end]);
  const own = Object.values(paths).filter(path => path !== paths.home);
  for (const path of [...own, ...beside]) rmSync(path, { recursive: true, force: true });
  attempt(() => rmdirSync(paths.home));
  if (!existsSync(paths.home)) return [];
  return (attempt(() => readdirSync(paths.home)) ?? []).map(name => join(paths.home, name));
};
