/** Finds git's own folder of a checkout, without running git. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface GitFolder {
  /** The top folder of the checkout. */
  root: string;
  /** Git's own folder of this checkout. */
  dir: string;
  /** The checkout is a linked worktree. */
  isLinked: boolean;
}

/** More levels than any real path has. */
const maxDepth = 64;

/** Finds git's own folder. In a worktree and in a submodule `.git` is a file that names it. */
export const findGitFolder = async (folder: string): Promise<GitFolder | null> => {
  if (!folder.startsWith('/')) return null;
  for (let at = folder, depth = 0; depth < maxDepth; at = dirname(at), depth++) {
    const path = join(at, '.git');
    const kind = await stat(path).catch(() => null);
    if (kind?.isDirectory()) return { root: at, dir: path, isLinked: false };
    if (kind?.isFile()) {
      const dir = /^gitdir: (.+)/.exec((await readStart(path)) ?? '')?.[1]?.trim();
      if (dir) return { root: at, dir: resolve(at, dir), isLinked: /\/worktrees\/[^/]+\/?$/.test(dir) };
    }
    if (at === dirname(at)) return null;
  }
  return null;
};

/** Reads the beginning of a regular file; null for anything else. Never waits for a writer of a FIFO. */
export const readStart = async (path: string): Promise<string | null> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY).catch(
    () => null,
  );
  if (!file) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return null;
  } finally {
    await file.close().catch(() => {});
  }
};
