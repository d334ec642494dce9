import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aSession } from '../../testing/session.ts';
import { repository, tempFolder } from '../../testing/repository.ts';
import type { Folded } from '../../session/memory.ts';
import { emptyMemory, noNames } from '../../session/memory.ts';
import { listWorktrees } from './list-worktrees.ts';
import { removeWorktree } from './remove-worktree.ts';

const sessionIn = (cwd: string, more: Partial<Folded> = {}): Folded => ({
  ...aSession({ cwd, dir: cwd, state: 'ended', reason: 'exit' }),
  names: noNames,
  memory: { ...emptyMemory(0), hooked: 1, spooled: true },
  ...more,
});

/** A repository with worktrees: merged, with its own commit, dirty. */
const withWorktrees = () => {
  const repo = repository();
  const folder = tempFolder();
  const add = (name: string) => {
    const path = join(folder, name);
    repo.git('worktree', 'add', '-q', '-b', name, path);
    return path;
  };
  const [merged, ahead, dirty] = [add('merged'), add('ahead'), add('dirty')];
  writeFileSync(join(ahead, 'b.txt'), 'b\n');
  repo.git('-C', ahead, 'add', '.');
  repo.git('-C', ahead, 'commit', '-q', '-m', 'ahead');
  writeFileSync(join(dirty, 'untracked.txt'), 'x\n');
  return { ...repo, merged, ahead, dirty, add };
};

test('worktrees of sessions are listed with branch, size, merged and dirty', async () => {
  const { dir, merged, ahead, dirty } = withWorktrees();
  mkdirSync(join(merged, 'deep'));
  const list = await listWorktrees([
    sessionIn(join(merged, 'deep'), { dir: merged }),
    sessionIn(ahead),
    sessionIn(dirty),
    sessionIn(dir),
    sessionIn(join(dir, 'gone')),
  ]);
  const facts = list.map(({ path, branch, isMerged, isDirty, keptFor }) => ({
    path,
    branch,
    isMerged,
    isDirty,
    keptFor,
  }));
  expect(facts).toEqual([
    { path: ahead, branch: 'ahead', isMerged: false, isDirty: false, keptFor: 'not merged' },
    { path: dirty, branch: 'dirty', isMerged: true, isDirty: true, keptFor: 'dirty' },
    { path: merged, branch: 'merged', isMerged: true, isDirty: false, keptFor: null },
  ]);
  expect(list.every(({ bytes, repository: main }) => (bytes ?? 0) > 0 && main === dir)).toBe(true);
});

test('a live or parked session, a lock, a rebase and submodules keep a worktree', async () => {
  const { git, dir, merged, add } = withWorktrees();
  const [locked, rebased] = [add('locked'), add('rebased')];
  git('worktree', 'lock', locked);
  mkdirSync(join(dir, '.git', 'worktrees', 'rebased', 'rebase-merge'));
  const reasons = async (sessions: Folded[]) => (await listWorktrees(sessions)).map(({ keptFor }) => keptFor);
  expect(
    await reasons([sessionIn(merged, { state: 'waiting', reason: 'stopped' }), sessionIn(merged)]),
  ).toEqual(['live session']);
  expect(await reasons([sessionIn(merged, { parked: true })])).toEqual(['live session']);
  expect(await reasons([sessionIn(locked), sessionIn(rebased)])).toEqual(['locked', 'dirty']);
  mkdirSync(join(dir, '.git', 'worktrees', 'rebased', 'modules'));
  expect(await reasons([sessionIn(rebased)])).toEqual(['dirty']);
});

test('a live session in another repository below a worktree keeps it, by any spelling', async () => {
  const { merged } = withWorktrees();
  const inner = join(merged, 'ignored', 'inner');
  const link = join(tempFolder(), 'link');
  mkdirSync(join(inner, '.git'), { recursive: true });
  symlinkSync(merged, link);
  const live = { state: 'waiting', reason: 'stopped' } as const;
  for (const cwd of [inner, join(link, 'ignored', 'inner'), join(inner, 'gone')]) {
    const sessions = [sessionIn(merged), sessionIn(cwd, live)];
    expect((await listWorktrees(sessions)).map(({ keptFor }) => keptFor)).toEqual(['live session']);
    await expect(removeWorktree(merged, () => sessions)).rejects.toThrow('live session');
  }
});

test('another repository that git ignores, and a submodule, keep a worktree', async () => {
  const { git, merged, add } = withWorktrees();
  const facts = async (path: string) =>
    (await listWorktrees([sessionIn(path)])).map(({ isDirty, keptFor }) => [isDirty, keptFor]);
  writeFileSync(join(git('rev-parse', '--absolute-git-dir').trim(), 'info', 'exclude'), 'ignored/\n');
  mkdirSync(join(merged, 'ignored', 'inner'), { recursive: true });
  expect(await facts(merged)).toEqual([[false, null]]);
  mkdirSync(join(merged, 'ignored', 'inner', '.git'));
  expect(await facts(merged)).toEqual([[true, 'dirty']]);
  // A submodule whose files have no repository: git reports none of them.
  const head = git('rev-parse', 'HEAD').trim();
  git('update-index', '--add', '--cacheinfo', `160000,${head},module`);
  git('commit', '-q', '-m', 'module');
  const tree = add('modules');
  mkdirSync(join(tree, 'module'), { recursive: true });
  writeFileSync(join(tree, 'module', 'work.txt'), 'x\n');
  expect(await facts(tree)).toEqual([[null, 'unknown']]);
});

test('two spellings of a worktree are one, and a link to it is never removed', async () => {
  const { dir, merged } = withWorktrees();
  const link = join(tempFolder(), 'link');
  symlinkSync(merged, link);
  const sessions = [sessionIn(merged), sessionIn(link)];
  expect((await listWorktrees(sessions)).map(one => [one.path, one.sessions.length])).toEqual([[merged, 2]]);
  await expect(removeWorktree(link, () => sessions)).rejects.toThrow('not a worktree of a session');
  // Moved and replaced by a link, while its repository still knows the old place.
  renameSync(merged, `${merged}-moved`);
  symlinkSync(`${merged}-moved`, merged);
  await expect(removeWorktree(merged, () => [sessionIn(merged)])).rejects.toThrow(
    'not a worktree of a session',
  );
  expect([`${merged}-moved`, join(dir, '.git', 'worktrees', 'merged')].every(existsSync)).toBe(true);
});

test('git does not run for sessions that fired no hook, or are elsewhere', async () => {
  const { merged } = withWorktrees();
  expect(await listWorktrees([sessionIn(merged, { memory: emptyMemory(0) })])).toEqual([]);
  expect(await listWorktrees([sessionIn(merged, { origin: 'laptop' })])).toEqual([]);
  expect(await listWorktrees([sessionIn(merged, { memory: { ...emptyMemory(0), hooked: 1 } })])).toEqual([]);
});

test('a merged worktree is removed with its entry, and its branch stays', async () => {
  const { git, dir, merged, ahead, dirty } = withWorktrees();
  const sessions = [sessionIn(merged), sessionIn(ahead), sessionIn(dirty)];
  await removeWorktree(merged, () => sessions);
  expect(existsSync(merged)).toBe(false);
  expect(git('worktree', 'list')).not.toContain(merged);
  expect(git('branch', '--list', 'merged')).toContain('merged');
  expect(existsSync(join(dir, '.git', 'worktrees', 'ahead'))).toBe(true);
  await expect(removeWorktree(ahead, () => sessions)).rejects.toThrow('not merged');
  await expect(removeWorktree(dirty, () => sessions)).rejects.toThrow('dirty');
  await expect(removeWorktree(dir, () => sessions)).rejects.toThrow('not a worktree of a session');
  expect([ahead, dirty, dir].every(existsSync)).toBe(true);
});

test('a session that is started meanwhile saves its worktree', async () => {
  const { merged } = withWorktrees();
  let asked = 0;
  const sessions = () =>
    asked++ === 0
      ? [sessionIn(merged)]
      : [sessionIn(merged), sessionIn(merged, { state: 'working', reason: null })];
  await expect(removeWorktree(merged, sessions)).rejects.toThrow('live session');
  expect(existsSync(merged)).toBe(true);
});

test('a folder that only claims to be a worktree of a repository is not removed', async () => {
  const { dir, merged } = withWorktrees();
  const fake = tempFolder();
  writeFileSync(join(fake, '.git'), `gitdir: ${join(dir, '.git', 'worktrees', 'merged')}\n`);
  writeFileSync(join(fake, 'a.txt'), 'one\n');
  await expect(removeWorktree(fake, () => [sessionIn(fake)])).rejects.toThrow(
    'not a worktree that its repository knows',
  );
  expect(existsSync(join(fake, 'a.txt')) && existsSync(merged)).toBe(true);
  const linked = tempFolder();
  symlinkSync(join(merged, '.git'), join(linked, '.git'));
  await expect(removeWorktree(linked, () => [sessionIn(linked)])).rejects.toThrow(
    'not a worktree that its repository knows',
  );
  expect(existsSync(linked)).toBe(true);
});
