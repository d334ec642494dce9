/** Finds the files that the shell commands of a turn changed: those that git lists, and that changed while one ran. */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findGitFolder } from '../files/git-folder.ts';
import { limits } from '../limits.ts';
import { withSafeGit } from './git/safe-git.ts';
import { readStatus } from './git/working-tree.ts';
import type { InferredFile } from './inferred-event.ts';
import { isWithin } from './shell-periods.ts';

/** `isByTool`: whether a tool of any session wrote the file at about this time. */
export const inferFiles = async (
  folder: string,
  periods: { from: number; to: number }[],
  isByTool: (path: string, at: number) => boolean,
): Promise<InferredFile[]> => {
  const found = await findGitFolder(folder);
  if (!found) return [];
  const listed = await withSafeGit(found, git => readStatus(git, 'all'));
  const files: InferredFile[] = [];
  for (const { status, path: name } of listed) {
    if (files.length >= limits.changes.inferred) break;
    const path = join(found.root, name);
    const at = await changedAt(path);
    if (at === null || !isWithin(periods, at) || isByTool(path, at)) continue;
    files.push({ path, isNew: status === '??' || status.startsWith('A') });
  }
  return files;
};

/** When a file was changed or moved here; of one that is gone, when its folder was. A program cannot set this time. */
const changedAt = async (path: string): Promise<number | null> => {
  const stats = (await lstat(path).catch(() => null)) ?? (await lstat(dirname(path)).catch(() => null));
  return stats && stats.ctimeMs;
};
