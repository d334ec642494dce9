import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Paths, pathsFrom } from '../../paths.ts';
import { linkAliases, planAliases, unlinkAliases } from './alias.ts';

let home: string;
let env: { HOME: string; PATH: string };
let paths: Paths;
let program: string;
let bin: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-alias-'));
  bin = join(home, 'bin');
  env = { HOME: home, PATH: `/nowhere:relative:${bin}` };
  paths = pathsFrom(env);
  program = join(home, 'lib', 'main.js');
  mkdirSync(join(home, 'lib'));
  mkdirSync(bin);
  writeFileSync(program, '');
  symlinkSync(program, join(bin, 'drover'));
});

afterEach(() => rmSync(home, { recursive: true }));

const link = (...names: string[]) => {
  const plan = planAliases(names, join(bin, 'drover'), env, paths);
  linkAliases(plan, program, paths);
  return plan.map(({ state }) => state);
};

test('aliases are linked next to drover, recognised and removed', () => {
  expect(link('cld', 'claude-print', 'menu-driver.sh')).toEqual(['linked', 'linked', 'linked']);
  expect(readlinkSync(join(bin, 'cld'))).toBe(program);
  expect(link('cld')).toEqual(['already']);
  expect(unlinkAliases(paths)).toEqual(
    ['cld', 'claude-print', 'menu-driver.sh'].map(name => join(bin, name)),
  );
  expect(existsSync(join(bin, 'cld'))).toBe(false);
  expect(unlinkAliases(paths)).toEqual([]);
});

test('without a drover on PATH they go to ~/.local/bin', () => {
  env.PATH = '/nowhere';
  expect(planAliases(['cld'], program, env, paths)).toEqual([
    { path: join(home, '.local', 'bin', 'cld'), state: 'linked' },
  ]);
});

test('another file, link or dangling link is kept, at setup and at removal', () => {
  writeFileSync(join(bin, 'cld'), 'theirs');
  symlinkSync('/nowhere/at/all', join(bin, 'claude-print'));
  expect(link('cld', 'claude-print')).toEqual(['taken', 'taken']);
  expect(unlinkAliases(paths)).toEqual([]);
  expect(readFileSync(join(bin, 'cld'), 'utf8')).toBe('theirs');
  expect(readlinkSync(join(bin, 'claude-print'))).toBe('/nowhere/at/all');
});

test('our link to an earlier installation is updated', () => {
  link('cld');
  const newer = join(home, 'lib', 'newer.js');
  writeFileSync(newer, '');
  rmSync(join(bin, 'drover'));
  symlinkSync(newer, join(bin, 'drover'));
  linkAliases(planAliases(['cld'], newer, env, paths), newer, paths);
  expect(readlinkSync(join(bin, 'cld'))).toBe(newer);
});

test('a link that was replaced since is not removed', () => {
  link('cld');
  rmSync(join(bin, 'cld'));
  writeFileSync(join(bin, 'cld'), 'theirs');
  expect(unlinkAliases(paths)).toEqual([]);
  expect(existsSync(join(bin, 'cld'))).toBe(true);
});

test('any other name is wrong usage', () => {
  expect(() => planAliases(['claude'], program, env, paths)).toThrow('Unknown alias "claude"');
});
