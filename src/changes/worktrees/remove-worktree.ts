/**
 * Removes a worktree that is merged and clean. What `git worktree remove` does is done here: its folder is deleted, and what
 * the repository knows of it. Git itself would run programs that the config of the repository names.
 */
import { lstat, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import type { GitFolder } from '../../files/git-folder.ts';
import { readStart } from '../../files/git-folder.ts';
import type { Folded } from '../../session/memory.ts';
import { inspectWorktree } from './inspect-worktree.ts';
import { worktreeOf, worktreesOf } from './list-worktrees.ts';

/** `sessions` is asked again right before the removal: a session may have been started in the meantime. */
export const removeWorktree = async (path: string, sessions: () => Folded[]): Promise<void> => {
  const find = async () => (await worktreesOf(sessions())).find(({ folder }) => folder.root === path);
  const found = await find();
  if (!found) throw new DroverError('refused', `${path} is not a worktree of a session.`);
  await assertOwn(found.folder);
  const inspected = await inspectWorktree(found.folder);
  const { keptFor } = worktreeOf(inspected, (await find())?.sessions ?? found.sessions, null);
  if (keptFor !== null) throw new DroverError('refused', `${path} is kept: ${keptFor}.`);
  // A link would be removed instead of the folder, and its repository would forget a worktree that is still there.
  if ((await real(path)) !== path) throw new DroverError('refused', `${path} is a link.`);
  await rm(path, { recursive: true });
  await rm(found.folder.dir, { recursive: true, force: true });
};

/** The repository must know this folder as its worktree; otherwise `.git` in it could name any other folder for deletion. */
const assertOwn = async ({ root, dir }: GitFolder): Promise<void> => {
  const back = (await readStart(join(dir, 'gitdir')))?.trim();
  const [there, here] = await Promise.all([back, join(root, '.git')].map(file => real(file)));
  const isAdmin = basename(dirname(dir)) === 'worktrees' && (await lstat(dir)).isDirectory();
  if (!isAdmin || there !== here || here !== join(root, '.git'))
    throw new DroverError('refused', `${root} is not a worktree that its repository knows.`);
};

const real = async (file: string | undefined): Promise<string | null> =>
  file === undefined ? null : await realpath(file).catch(() => null);
