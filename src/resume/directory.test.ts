import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { slugOf } from '../claude/slug.ts';
import { directoryOf, type DirectorySources } from './directory.ts';

const setUp = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dr-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const make = (name: string) => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const at = (sources: Partial<DirectorySources>) =>
    directoryOf({ recorded: null, pane: null, transcript: null, slug: null, cwd: '/', ...sources });
  return { root, make, at };
};

test("Drover's record wins over the pane, and the transcript over the decoder", () => {
  const { make, at } = setUp();
  const [a, b] = [make('a'), make('b')];
  expect(at({ recorded: a, pane: b })).toEqual({ kind: 'known', dir: a, by: 'drover' });
  expect(at({ pane: b })).toEqual({ kind: 'known', dir: b, by: 'pane' });
  expect(at({ transcript: a, slug: slugOf(b) })).toEqual({ kind: 'known', dir: a, by: 'transcript' });
  expect(at({ slug: slugOf(b) })).toEqual({ kind: 'known', dir: b, by: 'decoder' });
  expect(at({ pane: 'relative', transcript: a })).toEqual({ kind: 'known', dir: a, by: 'transcript' });
});

test('a disagreement offers the directory of the transcript', () => {
  const { root, make, at } = setUp();
  const [a, b] = [make('a'), make('b')];
  expect(at({ recorded: a, transcript: b, slug: slugOf(b) })).toEqual({
    kind: 'disagreement',
    dir: b,
    other: a,
    by: 'drover',
  });
  // Only the folder's name is left, and it disagrees with Drover.
  expect(at({ pane: a, slug: slugOf(b) })).toMatchObject({ kind: 'disagreement', dir: b, by: 'pane' });
  // Two names of one directory are not a disagreement.
  symlinkSync(b, join(root, 'link'));
  expect(at({ recorded: join(root, 'link'), transcript: b })).toMatchObject({ kind: 'known' });
});

test('never replaces a missing directory by a guess', () => {
  const { root, make, at } = setUp();
  const duplicate = make('x-y');
  const gone = join(root, 'x.y');
  expect(at({ transcript: gone, slug: slugOf(gone) })).toEqual({ kind: 'gone', dir: gone });
  expect(at({ recorded: gone, slug: slugOf(gone) })).toEqual({ kind: 'gone', dir: gone });
  // Drover saw it start in the duplicate, and Claude Code finds the transcript from there.
  expect(at({ recorded: duplicate, transcript: gone, slug: slugOf(gone) })).toEqual({
    kind: 'known',
    dir: duplicate,
    by: 'drover',
  });
  expect(at({ slug: '-no-such-directory-anywhere' })).toEqual({ kind: 'unknown' });
  expect(at({})).toEqual({ kind: 'unknown' });
});

test('lists all matches, and reports an incomplete walk', () => {
  const { make, at } = setUp();
  const [a, b] = [make('x-y'), make('x/y')];
  const several = at({ slug: slugOf(a), cwd: make('z') });
  expect(several).toMatchObject({ kind: 'several', isComplete: true });
  expect(several.kind === 'several' && several.dirs.sort()).toEqual([a, b].sort());
  const cut = directoryOf({ recorded: null, pane: null, transcript: null, slug: '-x', cwd: '/' }, () => ({
    found: [a],
    isComplete: false,
  }));
  expect(cut).toEqual({ kind: 'several', dirs: [a], isComplete: false });
});
