import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findGitFolder } from '../../files/git-folder.ts';
import { limits } from '../../limits.ts';
import { repository, tempFolder } from '../../testing/repository.ts';
import { inferFiles } from '../inferred-files.ts';
import { inspectWorktree } from '../worktrees/inspect-worktree.ts';
import { withSafeGit } from './safe-git.ts';
import { readWorkingTree } from './working-tree.ts';

/** A repository whose config and attributes name programs that would each leave a marker. */
const hostile = () => {
  const repo = repository();
  const markers = tempFolder();
  const program = (name: string) => {
    const file = join(markers, `${name}.sh`);
    writeFileSync(file, `#!/bin/sh\ntouch '${join(markers, `ran-${name}`)}'\ncat 2>/dev/null\nexit 0\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const ran = () => readdirSync(markers).filter(name => name.startsWith('ran-'));
  const clear = () => {
    for (const name of ran()) rmSync(join(markers, name));
  };
  const hooks = join(repo.dir, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of ['post-index-change', 'post-checkout', 'pre-commit', 'fsmonitor-watchman']) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${join(markers, `ran-${hook}`)}'\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const included = join(repo.dir, '.git', 'more');
  writeFileSync(included, `[core]\n\tpager = ${program('pager')}\n\teditor = ${program('editor')}\n`);
  for (const [name, value] of [
    ['core.fsmonitor', program('fsmonitor')],
    ['core.hooksPath', hooks],
    ['core.sshCommand', program('ssh')],
    ['core.askPass', program('askpass')],
    ['core.gitProxy', program('proxy')],
    ['core.alternateRefsCommand', program('alternates')],
    ['include.path', included],
    ['filter.evil.clean', program('clean')],
    ['filter.evil.smudge', program('smudge')],
    ['filter.evil.process', program('process')],
    ['filter.evil.required', 'true'],
    ['diff.external', program('external')],
    ['diff.evil.textconv', program('textconv')],
    ['diff.evil.command', program('diff-command')],
    ['alias.status', `!${program('alias')}`],
    ['credential.helper', program('credential')],
    ['pager.diff', program('pager-diff')],
    ['status.submoduleSummary', 'true'],
    ['uploadpack.packObjectsHook', program('pack')],
  ] as const)
    repo.git('config', name, value);
  repo.write('.gitattributes', '* filter=evil diff=evil\n');
  mkdirSync(join(repo.dir, '.git', 'info'), { recursive: true });
  writeFileSync(join(repo.dir, '.git', 'info', 'attributes'), '* filter=evil diff=evil\n');
  const touched = statSync(join(repo.dir, 'a.txt')).mtimeMs / 1000;
  repo.write('a.txt', 'two\n');
  // The same size and another time: git has to read the file to compare it.
  utimesSync(join(repo.dir, 'a.txt'), touched + 5, touched + 5);
  repo.write('new.txt', 'new\n');
  clear();
  return { ...repo, ran, clear };
};

test('the programs of this repository run when its owner uses git, so that the next tests can fail', () => {
  const { git, ran } = hostile();
  try {
    git('diff', 'HEAD');
  } catch {
    /* what the programs do to the diff does not matter */
  }
  expect(ran()).toEqual(expect.arrayContaining(['ran-fsmonitor']));
  expect(ran().length).toBeGreaterThan(1);
});

test('status and diff of a hostile repository run nothing', async () => {
  const { dir, ran } = hostile();
  process.env.GIT_EXTERNAL_DIFF = join(dir, 'none');
  process.env.GIT_SSH_COMMAND = join(dir, 'none');
  onTestFinished(() => {
    delete process.env.GIT_EXTERNAL_DIFF;
    delete process.env.GIT_SSH_COMMAND;
  });
  const found = await readWorkingTree(dir, true);
  expect(found?.files).toEqual(
    expect.arrayContaining([
      { status: ' M', path: 'a.txt' },
      { status: '??', path: 'new.txt' },
    ]),
  );
  expect(found?.diff).toContain('-one\n+two');
  expect(found?.branch).toBe('main');
  const now = Date.now();
  const inferred = await inferFiles(dir, [{ from: now - 60_000, to: now + 1_000 }], () => false);
  expect(inferred.map(({ path }) => path)).toContain(join(dir, 'a.txt'));
  expect(ran()).toEqual([]);
});

test('a worktree and a submodule of a hostile repository run nothing', async () => {
  const { dir, git, ran, clear } = hostile();
  const linked = join(tempFolder(), 'linked');
  const module = join(dir, 'module');
  git('config', '--unset', 'filter.evil.required');
  git('worktree', 'add', '-q', '-b', 'feat', linked);
  repository((mkdirSync(module), module)).git('config', 'core.fsmonitor', join(dir, 'none'));
  clear();
  const folder = await findGitFolder(linked);
  const inspected = folder && (await inspectWorktree(folder));
  expect(inspected).toMatchObject({ branch: 'feat', isMerged: true, repository: dir });
  expect((await readWorkingTree(dir, true))?.diff).toContain('+two');
  expect(ran()).toEqual([]);
});

test('the repository is not written to, also when the index is older than its files', async () => {
  const { dir, write } = repository();
  // The same text at another time: `git diff` refreshes the index that it reads.
  write('a.txt', 'one\n');
  utimesSync(join(dir, 'a.txt'), 1_000, 1_000);
  const facts = () =>
    [dir, join(dir, '.git'), join(dir, '.git', 'index')].map(path => statSync(path).mtimeMs);
  const before = facts();
  expect((await readWorkingTree(dir, true))?.diff).toBe('');
  expect(facts()).toEqual(before);
});

test('a change of the same size in the second of the last commit is seen', async () => {
  const { dir, write } = repository();
  const index = join(dir, '.git', 'index');
  const { mtimeMs } = statSync(join(dir, 'a.txt'));
  write('a.txt', 'two\n');
  utimesSync(join(dir, 'a.txt'), mtimeMs / 1_000, mtimeMs / 1_000);
  utimesSync(index, mtimeMs / 1_000, mtimeMs / 1_000);
  expect((await readWorkingTree(dir, true))?.diff).toContain('-one\n+two');
});

test('an index that is not a file fails at once', async () => {
  const { dir } = repository();
  rmSync(join(dir, '.git', 'index'));
  execFileSync('mkfifo', [join(dir, '.git', 'index')]);
  await expect(readWorkingTree(dir, false)).rejects.toThrow('index of this repository cannot be read');
});

test('a repository that cannot be read is reported, and leaves nothing behind', async () => {
  const { dir } = repository();
  writeFileSync(join(dir, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
  await expect(readWorkingTree(dir, false)).rejects.toThrow('cannot be read');
  expect(await readWorkingTree(tempFolder(), false)).toBeNull();
});

test('no more than a few gits run at a time', async () => {
  const folder = await findGitFolder(repository().dir);
  if (!folder) throw new Error('no repository');
  let [running, most] = [0, 0];
  let fill = () => {};
  const full = new Promise<void>(resolve => (fill = resolve));
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withSafeGit(folder, async git => {
        most = Math.max(most, ++running);
        if (running === limits.changes.gitRuns) fill();
        await full;
        await git('rev-parse', 'HEAD');
        running--;
      }),
    ),
  );
  expect(most).toBe(limits.changes.gitRuns);
});
