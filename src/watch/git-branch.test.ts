import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBranch } from './git-branch.ts';

const folder = () => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

const repository = () => {
  const dir = folder();
  mkdirSync(join(dir, '.git', 'worktrees', 'feat'), { recursive: true });
  writeFileSync(join(dir, '.git', 'HEAD'), 'ref: refs/heads/feature/pay\n');
  return dir;
};

test('a folder inside a repository is on the branch of its HEAD', async () => {
  const dir = repository();
  mkdirSync(join(dir, 'src', 'deep'), { recursive: true });
  expect(await readBranch(join(dir, 'src', 'deep'))).toEqual({ branch: 'feature/pay', worktree: false });
});

test('a detached HEAD and reftables have no branch', async () => {
  const dir = repository();
  writeFileSync(join(dir, '.git', 'HEAD'), `${'a'.repeat(40)}\n`);
  expect(await readBranch(dir)).toEqual({ branch: null, worktree: false });
  writeFileSync(join(dir, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
  expect(await readBranch(dir)).toEqual({ branch: null, worktree: false });
});

test('a linked worktree is marked, a submodule is not', async () => {
  const dir = repository();
  const [linked, module] = [folder(), folder()];
  writeFileSync(join(dir, '.git', 'worktrees', 'feat', 'HEAD'), 'ref: refs/heads/feat\n');
  writeFileSync(join(linked, '.git'), `gitdir: ${join(dir, '.git', 'worktrees', 'feat')}\n`);
  expect(await readBranch(linked)).toEqual({ branch: 'feat', worktree: true });
  mkdirSync(join(dir, '.git', 'modules', 'lib'), { recursive: true });
  writeFileSync(join(dir, '.git', 'modules', 'lib', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(module, '.git'), `gitdir: ${join(dir, '.git', 'modules', 'lib')}\n`);
  expect(await readBranch(module)).toEqual({ branch: 'main', worktree: false });
});

test('what is not a repository has no branch and blocks nobody', async () => {
  const dir = folder();
  expect(await readBranch(dir)).toBeNull();
  expect(await readBranch('relative')).toBeNull();
  execFileSync('mkfifo', [join(dir, '.git')]);
  expect(await readBranch(dir)).toBeNull();
  const odd = folder();
  mkdirSync(join(odd, '.git'));
  execFileSync('mkfifo', [join(odd, '.git', 'HEAD')]);
  expect(await readBranch(odd)).toBeNull();
});
