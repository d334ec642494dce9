import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { repository, tempFolder } from '../testing/repository.ts';
import { waitFor } from '../testing/wait-for.ts';
import { inferFiles } from './inferred-files.ts';
import { isWithin, ShellPeriods } from './shell-periods.ts';

const hook = (name: string, at: number, fields: object) => {
  const payload = { tool_name: 'Bash', ...fields };
  return [{ ...hookDraft(name, {}, {}, at), seq: 1, seen: at }, payload] as const;
};

test('a command lasts from its call to its result; one in the background to the end of the turn', () => {
  const shells = new ShellPeriods();
  shells.onHook('s', ...hook('PreToolUse', 10, { tool_use_id: 'a' }));
  shells.onHook('s', ...hook('PreToolUse', 12, { tool_use_id: 'b' }));
  shells.onHook('s', ...hook('PostToolUse', 20, { tool_use_id: 'a' }));
  shells.onHook(
    's',
    ...hook('PostToolUse', 13, { tool_use_id: 'b', tool_input: { run_in_background: true } }),
  );
  shells.onHook('s', ...hook('PreToolUse', 30, { tool_use_id: 'c', tool_name: 'Read' }));
  expect(shells.take('s', 50)).toEqual([
    { from: 10, to: 20 },
    { from: 12, to: 50 },
  ]);
  expect(shells.take('s', 60)).toEqual([]);
  shells.onHook('s', ...hook('PreToolUse', 70, { tool_use_id: 'd' }));
  shells.forget('s');
  expect(shells.take('s', 90)).toEqual([]);
});

test('a file was changed in a period, give or take the resolution of its time', () => {
  expect(isWithin([{ from: 1_000, to: 2_000 }], 995)).toBe(true);
  expect(isWithin([{ from: 1_000, to: 2_000 }], 2_100)).toBe(false);
  expect(isWithin([], 5)).toBe(false);
});

test('files that changed while a command ran are inferred; earlier ones and those of tools are not', async () => {
  const { dir, git, write } = repository();
  write('gone.txt', 'x\n');
  write('.gitignore', '*.log\n');
  git('add', '.');
  git('commit', '-q', '-m', 'second');
  write('before.txt', 'dirty before the turn\n');
  const { ctimeMs } = statSync(join(dir, 'before.txt'));
  await waitFor(() => expect(Date.now() - ctimeMs).toBeGreaterThan(3 * limits.changes.fileTime));
  const from = Date.now();
  write('a.txt', 'two\n');
  write('made.txt', 'new\n');
  write('tool.txt', 'by Write\n');
  write('build.log', 'ignored\n');
  rmSync(join(dir, 'gone.txt'));
  const periods = [{ from, to: Date.now() }];
  const files = await inferFiles(dir, periods, path => path.endsWith('tool.txt'));
  expect(files.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: join(dir, 'a.txt'), isNew: false },
    { path: join(dir, 'gone.txt'), isNew: false },
    { path: join(dir, 'made.txt'), isNew: true },
  ]);
  expect(await inferFiles(tempFolder(), periods, () => false)).toEqual([]);
});
