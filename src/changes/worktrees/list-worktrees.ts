/** Lists the linked worktrees in which sessions of this machine run or ran. */
import type { Worktree } from '../../contract/changes.ts';
import { isRemote } from '../../contract/origin.ts';
import type { GitFolder } from '../../files/git-folder.ts';
import { isWithin } from '../../files/folder.ts';
import { resolveMissingFolder } from '../../files/missing-folder.ts';
import type { Folded } from '../../session/memory.ts';
import { inspectWorktree, type Inspected, linkedWorktree, measureSize } from './inspect-worktree.ts';

export const listWorktrees = async (sessions: Folded[]): Promise<Worktree[]> => {
  const found = await worktreesOf(sessions);
  const worktrees: Worktree[] = [];
  // One after another: each reads a whole folder.
  for (const { folder, sessions: inside } of found)
    worktrees.push(worktreeOf(await inspectWorktree(folder), inside, await measureSize(folder.root)));
  return worktrees.sort((a, b) => (a.path < b.path ? -1 : 1));
};

/**
 * The worktrees with their sessions, newest first. Git runs only where a session has fired a hook here. A live session counts
 * for every worktree that its folder is in, also through another repository: removing the worktree removes its folder.
 */
export const worktreesOf = async (
  sessions: Folded[],
): Promise<{ folder: GitFolder; sessions: Folded[] }[]> => {
  const byRoot = new Map<string, { folder: GitFolder; sessions: Set<Folded> }>();
  const known = new Map<string, GitFolder | null>();
  const newest = [...sessions].sort((a, b) => b.touched - a.touched);
  for (const session of newest.filter(one => !isRemote(one))) {
    for (const dir of foldersOf(session)) {
      const folder = known.get(dir) ?? (known.has(dir) ? null : await linkedWorktree(dir));
      known.set(dir, folder);
      if (!folder) continue;
      const entry = byRoot.get(folder.root) ?? { folder, sessions: new Set() };
      byRoot.set(folder.root, entry);
      entry.sessions.add(session);
    }
  }
  const found = [...byRoot.values()].filter(entry =>
    [...entry.sessions].some(({ memory }) => memory.spooled && memory.hooked > 0),
  );
  const live = found.length > 0 ? await Promise.all(newest.filter(isLive).map(withRealFolders)) : [];
  return found.map(({ folder, sessions: own }) => {
    const inside = live.filter(({ folders }) => folders.some(one => isWithin(one, folder.root)));
    const all = new Set([...own, ...inside.map(({ session }) => session)]);
    return { folder, sessions: newest.filter(one => all.has(one)) };
  });
};

const foldersOf = ({ cwd, dir }: Folded): string[] => [
  ...new Set([cwd, dir].filter(folder => folder !== null)),
];

const withRealFolders = async (session: Folded) => ({
  session,
  folders: await Promise.all(foldersOf(session).map(resolveMissingFolder)),
});

export const worktreeOf = (inspected: Inspected, sessions: Folded[], bytes: number | null): Worktree => ({
  path: inspected.folder.root,
  repository: inspected.repository,
  branch: inspected.branch,
  bytes,
  isMerged: inspected.isMerged,
  isDirty: inspected.isDirty,
  keptFor: whyKept(inspected, sessions),
  sessions: sessions.map(session => ({ id: session.id, title: session.title, isLive: isLive(session) })),
});

/** A parked session counts as live: it is resumed in its folder. */
const isLive = ({ state, parked }: Folded): boolean => state !== 'ended' || parked;

const whyKept = ({ isDirty, isMerged, isLocked }: Inspected, sessions: Folded[]): Worktree['keptFor'] => {
  if (sessions.some(isLive)) return 'live session';
  if (isDirty === null || isMerged === null) return 'unknown';
  if (isDirty) return 'dirty';
  if (!isMerged) return 'not merged';
  return isLocked ? 'locked' : null;
};
