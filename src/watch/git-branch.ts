/** Read which git branch a folder is on, from git's own files: running git would cost a process for each read. */
import { join } from 'node:path';
import { findGitFolder, readStart } from '../files/git-folder.ts';

export interface GitBranch {
  /** Null for a detached HEAD. */
  branch: string | null;
  /** The folder belongs to a linked worktree. */
  worktree: boolean;
}

/** Read the branch of the repository that a folder is in; null outside a repository. */
export const readBranch = async (folder: string): Promise<GitBranch | null> => {
  const found = await findGitFolder(folder);
  if (!found) return null;
  const head = await readStart(join(found.dir, 'HEAD'));
  if (head === null) return null;
  const branch = /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? null;
  // A repository with reftables has a HEAD that names no branch.
  return { branch: branch === '.invalid' ? null : branch, worktree: found.isLinked };
};
