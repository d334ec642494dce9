/** Worktrees of sessions: listed, and removed where nothing can be lost. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WorktreeList } from '../../src/contract/changes.ts';
import { limits } from '../../src/limits.ts';
import { newest } from '../rig/cli.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { MAIN } from '../rig/drover.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const version = newest;

test('merged worktrees are removed after a question; a dirty one and one with a live session stay', async () => {
  const opened = await world({ version });
  const { daemon, drover, run, dir, root } = opened;
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', dir('project'), ...args]);
  await git('init', '-q', '-b', 'trunk');
  await git('commit', '-q', '--allow-empty', '-m', 'first');
  await mkdir(join(root, 'trees'));
  const tree = (name: string) => join(root, 'trees', name);
  for (const name of ['busy', 'dirty', 'done']) await git('worktree', 'add', '-q', '-b', name, tree(name));
  await writeFile(join(tree('dirty'), 'note.txt'), 'mine\n');
  await daemon();
  const { fire } = await hooksOf(opened);
  // The one that stays comes last: a process runs one session at a time.
  for (const [n, name] of ['dirty', 'done', 'busy'].entries()) {
    const session = { session_id: sessionId(n + 1), cwd: tree(name) };
    await fire({ ...session, hook_event_name: 'SessionStart', source: 'startup' });
    if (name !== 'busy') await fire({ ...session, hook_event_name: 'SessionEnd', reason: 'other' });
  }
  let seen = '';
  const listed = () =>
    until(
      20_000,
      () => `not all worktrees are listed: ${seen}`,
      async () => {
        seen = (await drover('worktrees', '--json')).stdout;
        const { worktrees } = JSON.parse(seen) as WorktreeList;
        const facts = worktrees.map(({ path, branch, keptFor }) => [path, branch, keptFor]);
        const isEnded =
          worktrees.filter(({ sessions }) => sessions.every(({ isLive }) => !isLive)).length === 2;
        return isEnded ? facts : undefined;
      },
    );
  expect(await listed()).toEqual([
    [tree('busy'), 'busy', 'live session'],
    [tree('dirty'), 'dirty', 'dirty'],
    [tree('done'), 'done', null],
  ]);
  const silent = await drover('worktrees', '--remove-merged');
  expect([silent.code, silent.stderr]).toEqual([2, expect.stringContaining('needs --yes')]);
  const command = `'${process.execPath}' '${MAIN}' worktrees --remove-merged; echo exit $?; exec cat`;
  const asked = await screenOf(opened, ['sh', '-c', command], {
    columns: 120,
    rows: 20,
  });
  await asked.sees('Remove this worktree, with files that git ignores? [y/N]');
  // Neither a word that is typed nor one that is pasted removes anything, and Enter is no.
  const question = String.raw`Remove this worktree[^?]*\? \[y/N\]\s+`;
  for (const [n, key] of Array.from('quit').entries()) {
    await asked.press(key);
    await asked.sees(new RegExp(`(?:${question}){${n + 2}}`));
  }
  await asked.paste('y\n');
  await asked.sees(new RegExp(`(?:${question}){6}`));
  // An Enter that was on its way before the question was shown does not count either.
  await pauseFor(limits.board.confirmDelay);
  await asked.press('Enter');
  await asked.sees(/Nothing was removed[\s\S]*exit 6/);
  expect(existsSync(tree('done'))).toBe(true);
  const { code, stdout } = await drover('worktrees', '--remove-merged', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Removed 1 of 3 worktrees')]);
  expect(['busy', 'dirty', 'done'].map(name => existsSync(tree(name)))).toEqual([true, true, false]);
  expect((await git('branch', '--list', 'done')).stdout).toContain('done');
});
