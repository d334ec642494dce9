import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownCommand } from './own-command.ts';

let clone: string;
let program: string;

beforeEach(() => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'own-command-')));
  mkdirSync(join(clone, 'dist'));
  mkdirSync(join(clone, 'bin'));
  program = join(clone, 'dist', 'main.js');
  writeFileSync(program, '');
});

afterEach(() => rmSync(clone, { recursive: true }));

test('in a clone it is node and the file, which is absolute: it is run in another terminal', () => {
  expect(ownCommand({ PATH: '/nowhere' }, clone, program)).toBe(`node ${program}`);
  expect(ownCommand({}, clone, program)).toBe(`node ${program}`);
  expect(ownCommand({}, join(clone, 'bin'), program)).toBe(`node ${program}`);
});

test('an installed program is `drover`', () => {
  symlinkSync(program, join(clone, 'bin', 'drover'));
  expect(ownCommand({ PATH: join(clone, 'bin') }, clone, program)).toBe('drover');
  expect(ownCommand({ PATH: join(clone, 'bin') }, clone, join(clone, 'bin', 'drover'))).toBe('drover');
});

test('another drover on PATH does not count', () => {
  writeFileSync(join(clone, 'bin', 'drover'), '');
  expect(ownCommand({ PATH: join(clone, 'bin') }, clone, program)).toBe(`node ${program}`);
});

test('a path with spaces is quoted', () => {
  const other = join(clone, 'my folder');
  mkdirSync(other);
  writeFileSync(join(other, 'main.js'), '');
  expect(ownCommand({}, clone, join(other, 'main.js'))).toBe(`node '${other}/main.js'`);
});
