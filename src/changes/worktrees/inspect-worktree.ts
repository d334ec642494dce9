/** Finds out whether a linked worktree can be removed without losing anything. */
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findGitFolder, type GitFolder, readStart } from '../../files/git-folder.ts';
import { limits } from '../../limits.ts';
import { resolveMissingFolder } from '../../files/missing-folder.ts';
import { findCommonDir, type RunGit, withSafeGit } from '../git/safe-git.ts';
import { readStatus } from '../git/working-tree.ts';

export interface Inspected {
  folder: GitFolder;
  /** The main checkout of its repository. */
  repository: string;
  branch: string | null;
  isMerged: boolean | null;
  isDirty: boolean | null;
  isLocked: boolean;
}

/** Returns the linked worktree that a folder is in, by its real path; null where it is in none. */
export const linkedWorktree = async (folder: string): Promise<GitFolder | null> => {
  const found = await findGitFolder(await resolveMissingFolder(folder));
  return found?.isLinked ? found : null;
};

export const inspectWorktree = async (folder: GitFolder): Promise<Inspected> => {
  const common = await findCommonDir(folder);
  const head = await readStart(join(folder.dir, 'HEAD'));
  const names = await readdir(folder.dir).catch(() => [] as string[]);
  // Without its own folder in the repository nothing about it is known.
  const unknown = { isMerged: null, isDirty: null };
  const state = await withSafeGit(folder, async git => ({
    isMerged: await isMerged(git, common),
    isDirty: names.some(isUnfinished) || (await isDirty(git, folder.root)),
  })).catch(() => unknown);
  return {
    folder,
    repository: dirname(common),
    branch: /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1] ?? null,
    ...state,
    isLocked: names.includes('locked'),
  };
};

/** Null when there are submodules, which git skips here, or when not every folder could be read. */
const isDirty = async (git: RunGit, root: string): Promise<boolean | null> => {
  if ((await readStatus(git, 'normal')).length > 0) return true;
  const isNested = await containsRepository(root);
  if (isNested !== false) return isNested;
  const index = await git('ls-files', '--stage', '-z');
  return index.split('\0').some(entry => entry.startsWith('160000 ')) ? null : false;
};

/** Whether another repository or worktree is below a checkout, which git ignores; null when that could not be found out. */
const containsRepository = async (root: string): Promise<boolean | null> => {
  const end = performance.now() + limits.changes.sizeTimeout;
  for (const rest = [root]; rest.length > 0; ) {
    if (performance.now() > end) return null;
    const next = rest.pop() as string;
    const entries = await readdir(next, { withFileTypes: true }).catch(() => null);
    if (entries === null) return null;
    if (next !== root && entries.some(({ name }) => name === '.git')) return true;
    rest.push(...entries.filter(entry => entry.isDirectory()).map(({ name }) => join(next, name)));
  }
  return false;
};

/** A merge, rebase or bisect in progress, or submodules, which git skips here. */
const isUnfinished = (name: string): boolean =>
  /^(?:MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|BISECT_LOG|rebase-.*|sequencer|modules)$/.test(name);

/** Whether the commit of the worktree is in the default branch: that of the remote, or of the main checkout. */
const isMerged = async (git: RunGit, common: string): Promise<boolean | null> => {
  const own = (await readStart(join(common, 'HEAD')))?.trim() ?? '';
  const remote = (await readStart(join(common, 'refs/remotes/origin/HEAD')))?.trim() ?? '';
  const bases = [remote, own].flatMap(
    text => /^ref: (refs\/\S+)$/.exec(text)?.[1] ?? /^[0-9a-f]{40,64}$/.exec(text)?.[0] ?? [],
  );
  const answers = await Promise.all(bases.map(base => isAncestor(git, base)));
  return answers.includes(true) ? true : answers.includes(false) ? false : null;
};

/** Git exits with 1 for no, and with anything else when it cannot tell. */
const isAncestor = (git: RunGit, base: string): Promise<boolean | null> =>
  git('merge-base', '--is-ancestor', 'HEAD', base).then(
    () => true,
    error => ((error as { code?: unknown }).code === 1 ? false : null),
  );

/** Adds up the size of a folder on disk; null when that takes too long. Links are not followed. */
export const measureSize = async (folder: string): Promise<number | null> => {
  const end = performance.now() + limits.changes.sizeTimeout;
  const seen = new Set<string>();
  let bytes = 0;
  for (const rest = [folder]; rest.length > 0; ) {
    if (performance.now() > end) return null;
    const next = rest.pop() as string;
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) rest.push(path);
      const stats = await lstat(path).catch(() => null);
      if (!stats) continue;
      // A file with several names takes room once.
      const key = `${stats.dev} ${stats.ino}`;
      if (stats.nlink > 1 && !stats.isDirectory() && seen.has(key)) continue;
      if (stats.nlink > 1 && !stats.isDirectory()) seen.add(key);
      bytes += stats.blocks * 512;
    }
  }
  return bytes;
};
