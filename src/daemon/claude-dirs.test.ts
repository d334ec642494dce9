import { expect, test } from 'vitest';
import type { Commit } from '../live/loop.ts';
import { claudeDirs } from './claude-dirs.ts';

/** A file system on which upper and lower case are the same. */
const ignoresCase = (path: string): string => path.toLowerCase();

const commit = (configDir: string, more: object = {}): Commit =>
  ({ event: { context: { configDir, ...more } } }) as unknown as Commit;

test('a folder is watched once, however it is spelled', () => {
  const dirs = claudeDirs(
    { HOME: '/Users/me' },
    { claudeDirs: ['/Users/ME/.claude', '/srv/.claude'] },
    ignoresCase,
  );
  expect(dirs.all()).toEqual(['/Users/me/.claude', '/srv/.claude']);
  dirs.onCommit(commit('/users/me/.Claude'));
  dirs.onCommit(commit('/Other/.claude'));
  dirs.onCommit(commit('/other/.claude/'));
  dirs.onCommit(commit('/far/.claude', { host: 'far' }));
  expect(dirs.all()).toEqual(['/Users/me/.claude', '/srv/.claude', '/Other/.claude']);
});
