import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installHooks, wantedHandlers } from '../../hook/install/install.ts';
import { type Scope, settingsFile } from '../../hook/install/scope.ts';
import { type Paths, pathsFrom } from '../../paths.ts';
import { run } from './uninstall.ts';
import type { Call } from '../verb.ts';

let home: string;
let env: Record<string, string>;
let paths: Paths;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-uninstall-'));
  env = { HOME: home, PATH: '/nowhere', TMUX_TMPDIR: home };
  paths = pathsFrom(env);
  mkdirSync(join(home, 'project'));
});

afterEach(() => rmSync(home, { recursive: true }));

const uninstall = async (options: Call['options'] = {}) => {
  const output: string[] = [];
  const call: Call = {
    verb: { name: 'uninstall', args: '', summary: '', options: {}, load: () => import('./uninstall.ts') },
    args: [],
    options,
    rest: [],
    env,
    paths,
    cwd: home,
    out: text => void output.push(text),
    payload: text => void output.push(text),
    err: text => void output.push(text),
    tty: false,
  };
  return { code: await run(call), output: output.join('\n') };
};

const setUp = (scope: Scope) => {
  const name = settingsFile(scope, env, join(home, 'project'));
  installHooks({ name, scope, paths }, wantedHandlers([], [], env));
  return name;
};

test('every scope is cleaned; without a terminal the data is kept and reported', async () => {
  for (const scope of ['user', 'project', 'local'] as const) setUp(scope);
  for (const file of [paths.emit, paths.autostart, paths.db]) writeFileSync(file, '');
  const { code, output } = await uninstall();
  expect(code).toBe(0);
  expect(output.match(/Removed Drover's hooks from/g)).toHaveLength(3);
  expect(output).toContain(`Kept the data in ${paths.home}.`);
  expect(existsSync(paths.db)).toBe(true);
  for (const file of [paths.emit, paths.autostart, paths.setup]) expect(existsSync(file)).toBe(false);
  expect(readdirSync(join(home, 'project'))).toEqual([]);
});

test('--delete-data leaves nothing behind', async () => {
  setUp('user');
  expect((await uninstall({ 'delete-data': true })).output).toContain('Deleted the data');
  expect(readdirSync(home)).toEqual(['project']);
});

test('settings that cannot be parsed stop nothing when there is nothing of Drover in them', async () => {
  const name = settingsFile('user', env, home);
  mkdirSync(dirname(name));
  const text = '{ // my comment\n"model": "opus" }';
  writeFileSync(name, text);
  mkdirSync(paths.home);
  const { code, output } = await uninstall({ 'delete-data': true });
  expect([code, output]).toEqual([0, expect.stringContaining('Deleted the data')]);
  expect(readFileSync(name, 'utf8')).toBe(text);
  writeFileSync(name, `${text}\n// "test -r $DROVER_EMIT && "`);
  expect((await uninstall()).code).toBe(7);
});

test('an unreadable file is reported and stops neither the rest nor a second try', async () => {
  const broken = setUp('project');
  setUp('user');
  const text = readFileSync(broken, 'utf8');
  writeFileSync(broken, `${text}// mine`);
  const { code, output } = await uninstall({ 'delete-data': true });
  expect(code).toBe(7);
  expect(output).toContain(`Not removed: ${broken}:`);
  expect(output).toContain('Kept the data');
  expect(existsSync(join(home, '.claude'))).toBe(false);
  writeFileSync(broken, text);
  expect((await uninstall({ 'delete-data': true })).code).toBe(0);
  expect(readdirSync(home)).toEqual(['project']);
});

test('a project that no longer exists does not matter', async () => {
  setUp('project');
  rmSync(join(home, 'project'), { recursive: true });
  writeFileSync(join(home, 'project'), 'a file now');
  expect((await uninstall({ 'delete-data': true })).code).toBe(0);
});

test('nothing happens where Drover was never set up', async () => {
  expect((await uninstall({ json: true })).code).toBe(0);
  expect(readdirSync(home)).toEqual(['project']);
});

test('--keep-data and --delete-data together are wrong usage', async () => {
  await expect(uninstall({ 'keep-data': true, 'delete-data': true })).rejects.toThrow('cannot be combined');
});
