import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { distinctFolders, isWithin, realFolder } from './folder.ts';

/** A file system on which upper and lower case are the same. */
const ignoresCase = (path: string): string => {
  const onDisk = ['/Users/me/Shop', '/Users/me/.claude', '/Users/me'];
  const found = onDisk.find(name => name.toLowerCase() === path.toLowerCase());
  if (found === undefined) throw new Error('ENOENT');
  return found;
};

test('a folder that is named in another case is the same folder, where the disk says so', () => {
  expect(realFolder('/users/ME/shop/', ignoresCase)).toBe('/Users/me/Shop');
  expect(realFolder('/users/me/gone', ignoresCase)).toBe('/users/me/gone');
  expect(isWithin(realFolder('/USERS/me/shop', ignoresCase), realFolder('/Users/Me', ignoresCase))).toBe(
    true,
  );
  expect(distinctFolders(['/Users/me/.claude', '/users/me/.Claude', '/other'], ignoresCase)).toEqual([
    '/Users/me/.claude',
    '/other',
  ]);
});

test('links are resolved, and names that differ in case stay different where the disk keeps them apart', () => {
  const root = realFolder(mkdtempSync(join(tmpdir(), 'du-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ['a', 'A']) mkdirSync(join(root, name), { recursive: true });
  symlinkSync(join(root, 'a'), join(root, 'link'));
  const names = ['a', 'A', 'link'].map(name => join(root, name));
  const expected = process.platform === 'linux' ? ['a', 'A'] : ['a'];
  expect(distinctFolders(names)).toEqual(expected.map(name => join(root, name)));
});
