/** The working tree of a checkout against HEAD. */
import { join } from 'node:path';
import type { GitChanges } from '../../contract/changes.ts';
import { findGitFolder, readStart } from '../../files/git-folder.ts';
import { limits } from '../../limits.ts';
import { partOf, type RunGit, withSafeGit } from './safe-git.ts';

export interface GitStatus {
  /** Two letters, as `git status --porcelain` has them. */
  status: string;
  /** Relative to the top folder. */
  path: string;
}

/** Lists what differs from HEAD. Submodules are left out: git would run in them. `untracked`: every file, or only the folder. */
export const readStatus = async (git: RunGit, untracked: 'all' | 'normal'): Promise<GitStatus[]> => {
  const text = await git(
    'status',
    '--porcelain=v1',
    '-z',
    `--untracked-files=${untracked}`,
    '--ignore-submodules=all',
    '--no-renames',
  );
  return text
    .split('\0')
    .filter(entry => entry.length > 3)
    .map(entry => ({ status: entry.slice(0, 2), path: entry.slice(3) }));
};

/** Reads the working tree of the checkout that a folder is in; null outside a repository. */
export const readWorkingTree = async (folder: string, withDiff: boolean): Promise<GitChanges | null> => {
  const found = await findGitFolder(folder);
  if (!found) return null;
  const head = await readStart(join(found.dir, 'HEAD'));
  return withSafeGit(found, async git => {
    const files = await readStatus(git, 'all');
    const diff = withDiff ? await readDiff(git) : null;
    return {
      root: found.root,
      branch: /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1] ?? null,
      files: files.slice(0, limits.changes.listed),
      diff: diff?.slice(0, limits.changes.answerBytes) ?? null,
      isCut: files.length > limits.changes.listed || (diff?.length ?? 0) > limits.changes.answerBytes,
    };
  });
};

/** The diff against HEAD; in a repository without a commit, against nothing. */
const readDiff = async (git: RunGit): Promise<string> => {
  const diff = (...against: string[]) =>
    git(
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      '--no-renames',
      '--ignore-submodules=all',
      ...against,
      '--',
    ).catch(error => {
      const part = partOf(error);
      if (part === null) throw error;
      return part;
    });
  const hasCommit = await git('rev-parse', '--verify', '--quiet', 'HEAD').then(
    () => true,
    () => false,
  );
  return hasCommit ? diff('HEAD') : diff();
};
