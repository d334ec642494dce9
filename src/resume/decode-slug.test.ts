import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { slugOf } from '../claude/slug.ts';
import { limits } from '../limits.ts';
import { type Disk, decodeSlug } from './decode-slug.ts';

/** A disk in memory with these directories and their parents. */
const diskOf = (dirs: string[]): Disk => {
  const below = new Map<string, Set<string>>();
  for (const dir of dirs) {
    let at = '/';
    for (const name of dir.split('/').filter(Boolean)) {
      below.set(at, (below.get(at) ?? new Set()).add(name));
      at = join(at, name);
    }
  }
  return { below: (dir, matches) => [...(below.get(dir) ?? [])].filter(matches), real: dir => dir };
};

const allOf = (dirs: string[]): string[] => {
  const all = new Set<string>();
  for (const dir of dirs) for (let at = dir; at !== '/'; at = join(at, '..')) all.add(at);
  return [...all];
};

// Few letters and many separators make names that encode alike, or start alike, common.
const name = fc
  .string({ unit: fc.constantFrom('a', 'b', '-', '.', '_', ' ', 'é', '日'), minLength: 1, maxLength: 4 })
  .filter(text => text !== '.' && text !== '..');
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map(names => `/${names.join('/')}`);

test('finds exactly the directories that encode alike, in 10,000 random trees', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 12 }), fc.nat(), (dirs, pick) => {
      const all = allOf(dirs);
      const wanted = all[pick % all.length] as string;
      const slug = slugOf(wanted);
      const { found, isComplete } = decodeSlug(slug, null, diskOf(dirs));
      expect(isComplete).toBe(true);
      expect(found.sort()).toEqual(all.filter(dir => slugOf(dir) === slug).sort());
    }),
    { numRuns: 10_000 },
  );
});

test('distinguishes paths over 200 characters by their hash', () => {
  const long = `/home/${'deep.folder/'.repeat(17)}end`;
  const duplicate = long.replace('deep.', 'deep-');
  const below = `${long}/below`;
  expect(slugOf(long).length).toBeGreaterThan(200);
  for (const dir of [long, duplicate, below])
    expect(decodeSlug(slugOf(dir), null, diskOf([below, duplicate]))).toEqual({
      found: [dir],
      isComplete: true,
    });
});

test('the current directory is tried first, also where others encode alike', () => {
  const slug = slugOf('/w/a-b');
  expect(decodeSlug(slug, '/w/a-b', diskOf(['/w/a-b'])).found).toEqual(['/w/a-b']);
  expect(decodeSlug(slug, '/w/a-b', diskOf(['/w/a-b', '/w/a.b'])).found).toEqual(['/w/a-b']);
  expect(decodeSlug(slug, '/w', diskOf(['/w/a-b', '/w/a.b'])).found).toHaveLength(2);
  // A directory above it cannot be read, but it exists.
  expect(decodeSlug(slug, '/w/a-b', diskOf(['/elsewhere'])).found).toEqual(['/w/a-b']);
  expect(decodeSlug(slug, '/w/other', diskOf(['/w/a-b'])).found).toEqual(['/w/a-b']);
});

test('the walk has a limit and reports when it is reached', () => {
  let reads = 0;
  const disk: Disk = {
    below: (_, matches) => {
      reads += 1;
      return ['-', '--', '---'].filter(matches);
    },
    real: dir => dir,
  };
  const { isComplete } = decodeSlug('-'.repeat(190), null, disk);
  expect(isComplete).toBe(false);
  expect(reads).toBeLessThanOrEqual(limits.resume.decodeReads + 1);
});

test('on a real disk: hidden directories, backtracking, links, circular links, unreadable directories', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dr-')));
  onTestFinished(() => {
    chmodSync(join(root, 'shut'), 0o700);
    rmSync(root, { recursive: true });
  });
  const make = (dir: string) => {
    mkdirSync(join(root, dir), { recursive: true });
    return join(root, dir);
  };
  const found = (dir: string, cwd: string | null = null) => decodeSlug(slugOf(dir), cwd).found;
  const hidden = make('.config/app');
  expect(found(hidden)).toEqual([hidden]);
  // The longest name is a dead end.
  make('x-y-z');
  const short = make('x/y-z-end');
  expect(found(short)).toEqual([short]);
  const special = make('$!@#%^&*()--helloworld!+5_4<>x?.foo');
  expect(found(special)).toEqual([special]);
  symlinkSync(join(root, 'x'), join(root, 'link'));
  symlinkSync(root, join(root, 'x', 'circle'));
  expect(found(join(root, 'link/y-z-end'))).toEqual([join(root, 'link/y-z-end')]);
  // A link and its target encode alike: one directory, under its real name.
  make('real.name');
  symlinkSync(join(root, 'real.name'), join(root, 'real-name'));
  expect(found(join(root, 'real-name'))).toEqual([join(root, 'real.name')]);
  const inside = make('shut/inside');
  chmodSync(join(root, 'shut'), 0o000);
  if (process.getuid?.() !== 0) expect(found(inside)).toEqual([]);
  expect(found(inside, inside)).toEqual([inside]);
});
