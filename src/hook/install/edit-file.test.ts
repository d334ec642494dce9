import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editFile } from './edit-file.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drover-edit-'));
  file = join(folder, 'settings.json');
});

afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const mark = (before: string | null) => `${before ?? ''}!`;
const refused = (pattern: RegExp) =>
  expect.objectContaining({ code: 'bad_settings', message: expect.stringMatching(pattern) });

test('the new text replaces the old one, the mode is kept, and no other file remains', () => {
  writeFileSync(file, 'a', { mode: 0o640 });
  expect(editFile(file, mark)).toEqual({ target: file, before: 'a', after: 'a!' });
  expect(readFileSync(file, 'utf8')).toBe('a!');
  expect(statSync(file).mode & 0o7777).toBe(0o640);
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test.runIf(process.getuid?.() === 0)('root leaves a file with its owner', async () => {
  writeFileSync(file, 'a');
  const { chownSync } = await import('node:fs');
  chownSync(file, 12_345, 12_346);
  editFile(file, mark);
  expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346 });
});

test('an edit that changes nothing does not touch the file, not even a read-only one', () => {
  writeFileSync(file, 'a', { mode: 0o400 });
  const { ino, mtimeMs } = statSync(file);
  editFile(file, before => before);
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
});

test('a missing file is created with its folders, and the topmost new folder is reported', () => {
  const made: string[] = [];
  const deep = join(folder, 'a', 'b', 'settings.json');
  editFile(deep, () => '{}', { made: path => void made.push(path) });
  expect(readFileSync(deep, 'utf8')).toBe('{}');
  expect(made).toEqual([join(folder, 'a')]);
});

test('null deletes the file', () => {
  writeFileSync(file, 'a');
  editFile(file, () => null);
  expect(existsSync(file)).toBe(false);
});

test('the previous content can be saved', () => {
  writeFileSync(file, 'a');
  const kept: string[] = [];
  editFile(file, mark, { keep: (_, before) => void kept.push(before) });
  expect(kept).toEqual(['a']);
});

test('a chain of two links is kept and its target is edited', () => {
  const dotfiles = join(folder, 'dotfiles');
  mkdirSync(dotfiles);
  writeFileSync(join(dotfiles, 'claude.json'), 'a');
  symlinkSync('claude.json', join(dotfiles, 'current'));
  symlinkSync('dotfiles/current', file);
  expect(editFile(file, mark).target).toBe(join(dotfiles, 'claude.json'));
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(dotfiles, 'current'))).toBe('claude.json');
  expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toBe('a!');
  expect(readdirSync(dotfiles).sort()).toEqual(['claude.json', 'current']);
});

test('the missing target of a link is created', () => {
  symlinkSync('dotfiles/claude.json', file);
  editFile(file, () => '{}');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'dotfiles', 'claude.json'), 'utf8')).toBe('{}');
});

test('a circular link is rejected', () => {
  symlinkSync('other', file);
  symlinkSync('settings.json', join(folder, 'other'));
  expect(() => editFile(file, mark)).toThrow(refused(/circular link/));
});

test('a file that changed between read and rename is read again, and the other change is kept', () => {
  writeFileSync(file, 'a');
  const seen: (string | null)[] = [];
  editFile(file, before => {
    seen.push(before);
    if (seen.length === 1) writeFileSync(file, 'b');
    return mark(before);
  });
  expect(seen).toEqual(['a', 'b']);
  expect(readFileSync(file, 'utf8')).toBe('b!');
});

test('a file that appears or disappears between read and rename is noticed', () => {
  let round = 0;
  editFile(file, before => {
    round += 1;
    if (round === 1) writeFileSync(file, 'theirs');
    return mark(before);
  });
  expect(readFileSync(file, 'utf8')).toBe('theirs!');
  editFile(file, before => {
    if (before !== null) rmSync(file);
    return before === null ? 'new' : null;
  });
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('a file that keeps changing is given up after five rounds and not changed', () => {
  let round = 0;
  const edit = (before: string | null) => {
    round += 1;
    writeFileSync(file, String(round));
    return mark(before);
  };
  expect(() => editFile(file, edit)).toThrow(refused(/keeps changing/));
  expect(round).toBe(5);
  expect(readFileSync(file, 'utf8')).toBe('5');
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test('a read-only file is rejected and not changed, also for root', () => {
  writeFileSync(file, 'a', { mode: 0o444 });
  expect(() => editFile(file, mark)).toThrow(refused(/settings\.json is read-only/));
  expect(readFileSync(file, 'utf8')).toBe('a');
});

test('a file in a read-only folder is rejected and not changed', () => {
  writeFileSync(file, 'a');
  chmodSync(folder, 0o555);
  expect(() => editFile(file, mark)).toThrow(refused(/read-only folder/));
  expect(readFileSync(file, 'utf8')).toBe('a');
});

test('a read-only file behind a link is named', () => {
  writeFileSync(join(folder, 'store.json'), 'a', { mode: 0o444 });
  symlinkSync('store.json', file);
  expect(() => editFile(file, mark)).toThrow(refused(/which is .*store\.json\) is read-only/));
});

test('a folder instead of a file, and bytes that are not UTF-8, are rejected', () => {
  mkdirSync(file);
  expect(() => editFile(file, mark)).toThrow(refused(/cannot be read/));
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  writeFileSync(join(folder, 'latin'), bytes);
  expect(() => editFile(join(folder, 'latin'), mark)).toThrow(refused(/not UTF-8/));
  expect(readFileSync(join(folder, 'latin'))).toEqual(bytes);
});
