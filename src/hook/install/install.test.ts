import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Paths, pathsFrom } from '../../paths.ts';
import { backupsPerFile } from './backup.ts';
import { deleteData } from './delete-data.ts';
import {
  installHooks,
  type Place,
  previewInstall,
  previewRemove,
  removeHooks,
  wantedHandlers,
} from './install.ts';
import { changeRecord, readRecord } from './record.ts';
import { describeDoubleRegistrations, enabledPlugins, registered } from './registered.ts';
import { projectRoot, settingsFile } from './scope.ts';
import { findDisabled } from './disabled-hooks.ts';

let home: string;
let env: { HOME: string };
let paths: Paths;
let place: Place;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-install-'));
  env = { HOME: home };
  paths = pathsFrom(env);
  place = { name: settingsFile('user', env, home), scope: 'user', paths };
});

afterEach(() => rmSync(home, { recursive: true }));

const wanted = () => wantedHandlers([], [], env);
const original = '{\n  "model": "opus"\n}\n';
const write = (file: string, text: string) => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
};
const settings = () => readFileSync(place.name, 'utf8');

test('a settings file is set up, not changed by a second setup, and restored byte for byte', () => {
  write(place.name, original);
  expect(installHooks(place, wanted()).after).not.toBe(original);
  const { ino } = statSync(place.name);
  installHooks(place, wanted());
  expect(statSync(place.name).ino).toBe(ino);
  removeHooks(place.name, paths);
  expect(settings()).toBe(original);
  expect(readRecord(paths).files).toEqual({});
});

test('a file and folder that did not exist before are removed', () => {
  installHooks(place, wanted());
  expect(JSON.parse(settings()).hooks.Stop).toHaveLength(1);
  removeHooks(place.name, paths);
  expect(readdirSync(home)).toEqual(['.drover']);
});

test('a folder with other content is kept', () => {
  installHooks(place, wanted());
  writeFileSync(join(home, '.claude', 'theirs'), '');
  removeHooks(place.name, paths);
  expect(readdirSync(join(home, '.claude'))).toEqual(['theirs']);
});

test('a folder created for two files is removed with the last one', () => {
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const files = (['project', 'local'] as const).map(scope => settingsFile(scope, env, cwd));
  for (const name of files) installHooks({ name, scope: 'project', paths }, wanted());
  for (const name of files) removeHooks(name, paths);
  expect(readdirSync(cwd)).toEqual([]);
});

test('an empty file is empty again', () => {
  write(place.name, '');
  installHooks(place, wanted());
  removeHooks(place.name, paths);
  expect(settings()).toBe('');
});

test('a link to a dotfile is kept by setup and removal', () => {
  write(join(home, 'dotfiles', 'claude.json'), original);
  mkdirSync(join(home, '.claude'));
  symlinkSync('../dotfiles/claude.json', place.name);
  installHooks(place, wanted());
  expect(lstatSync(place.name).isSymbolicLink()).toBe(true);
  expect(Object.keys(readRecord(paths).files)).toEqual([join(home, 'dotfiles', 'claude.json')]);
  removeHooks(place.name, paths);
  expect(lstatSync(place.name).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(home, 'dotfiles', 'claude.json'), 'utf8')).toBe(original);
});

test('a file without a record is cleaned too', () => {
  write(place.name, original);
  installHooks(place, wanted());
  rmSync(paths.home, { recursive: true });
  removeHooks(place.name, paths);
  expect(settings()).toBe(original);
});

test('a broken record counts as empty', () => {
  write(place.name, original);
  installHooks(place, wanted());
  writeFileSync(paths.setup, '{"files": 3');
  installHooks(place, wanted());
  removeHooks(place.name, paths);
  expect(settings()).toBe(original);
});

test('a rejected file leaves no trace in the record', () => {
  write(place.name, '[]');
  expect(() => installHooks(place, wanted())).toThrow('the top level is not an object');
  expect(settings()).toBe('[]');
  expect(existsSync(paths.setup)).toBe(false);
});

test('replaced content is backed up privately, ten backups per file', () => {
  for (let round = 0; round < backupsPerFile + 4; round += 1) {
    write(place.name, `{"round":${round}}`);
    installHooks(place, wanted());
  }
  const copies = readdirSync(paths.backups).sort();
  expect(copies).toHaveLength(backupsPerFile);
  expect(readFileSync(join(paths.backups, copies.at(-1) ?? ''), 'utf8')).toBe('{"round":13}');
  expect(readFileSync(join(paths.backups, copies[0] ?? ''), 'utf8')).toBe('{"round":4}');
  for (const copy of copies) expect(statSync(join(paths.backups, copy)).mode & 0o777).toBe(0o600);
  for (const folder of [paths.home, paths.backups]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(paths.setup).mode & 0o777).toBe(0o600);
});

test('a preview writes nothing', () => {
  expect(previewInstall(place, wanted()).after).toContain('emit.sh');
  expect(previewRemove(place.name, paths)).toMatchObject({ before: null, after: null });
  expect(readdirSync(home)).toEqual([]);
});

test('a project is the folder with .git, or the folder itself', () => {
  const inner = join(home, 'project', 'src');
  mkdirSync(inner, { recursive: true });
  expect(projectRoot(inner)).toBe(inner);
  writeFileSync(join(home, 'project', '.git'), 'gitdir: elsewhere');
  expect(settingsFile('project', env, inner)).toBe(join(home, 'project', '.claude', 'settings.json'));
  expect(settingsFile('local', env, inner)).toBe(join(home, 'project', '.claude', 'settings.local.json'));
  expect(settingsFile('user', { ...env, CLAUDE_CONFIG_DIR: '/c' }, inner)).toBe('/c/settings.json');
});

test('settings that disable hooks are found in every scope and in the policy', () => {
  const policy = join(home, 'etc');
  expect(findDisabled(env, home, policy)).toEqual([]);
  write(place.name, '{"disableAllHooks": true}');
  write(join(policy, 'managed-settings.json'), '{"disableAllHooks": false}');
  write(join(policy, 'managed-settings.d', '10.json'), '{"allowManagedHooksOnly": true}');
  const cwd = join(home, 'project');
  write(join(cwd, '.claude', 'settings.local.json'), '\uFEFF{"disableAllHooks": true}');
  expect(findDisabled(env, cwd, policy)).toEqual([
    { file: place.name, key: 'disableAllHooks' },
    { file: join(cwd, '.claude', 'settings.local.json'), key: 'disableAllHooks' },
    { file: join(policy, 'managed-settings.d', '10.json'), key: 'allowManagedHooksOnly' },
  ]);
});

test('the same command in two scopes is not a double registration, another command is', () => {
  const cwd = join(home, 'project');
  const project: Place = { name: settingsFile('project', env, cwd), scope: 'project', paths };
  installHooks(place, wanted());
  installHooks(project, wanted());
  expect(registered(env, cwd).map(({ scope, file, commands }) => [scope, file, commands.size])).toEqual([
    ['user', place.name, wanted().size],
    ['project', project.name, wanted().size],
  ]);
  expect(describeDoubleRegistrations(env, cwd)).toEqual([]);
  const elsewhere = { ...env, DROVER_HOME: join(home, "o'ther") };
  installHooks(project, wantedHandlers([], [], elsewhere));
  expect(describeDoubleRegistrations(env, cwd)).toEqual([
    expect.stringMatching(/^different commands for SessionStart, .* in .*\/settings\.json/),
  ]);
});

test('an enabled plugin and the settings are a double registration', () => {
  installHooks(place, wanted());
  write(
    join(home, '.claude', 'plugins', 'installed_plugins.json'),
    '{"version":2,"plugins":{"drover@drover":[{"scope":"user"}]}}',
  );
  expect(enabledPlugins(env, home)).toEqual([]);
  writeFileSync(
    place.name,
    JSON.stringify({ ...JSON.parse(settings()), enabledPlugins: { 'drover@drover': true } }),
  );
  expect(describeDoubleRegistrations(env, home)).toEqual([
    `the plugin drover@drover and ${place.name} both register Drover`,
  ]);
  write(settingsFile('local', env, join(home, 'p')), '{"enabledPlugins":{"drover@drover":false}}');
  expect(describeDoubleRegistrations(env, join(home, 'p'))).toEqual([]);
});

test("deleting the data removes Drover's files and lists the others", () => {
  write(paths.db, '');
  write(`${paths.db}-wal`, '');
  write(join(paths.spool, 'x'), '');
  write(join(paths.home, 'mine.txt'), '');
  expect(deleteData(paths)).toEqual([join(paths.home, 'mine.txt')]);
  rmSync(join(paths.home, 'mine.txt'));
  expect(deleteData(paths)).toEqual([]);
  expect(existsSync(paths.home)).toBe(false);
});

test('fields of the record that a newer Drover wrote are kept', () => {
  write(paths.setup, '{"later": ["x"]}');
  changeRecord(paths, record => {
    record.autostart = true;
  });
  expect(readRecord(paths)).toMatchObject({ later: ['x'], autostart: true, files: {} });
});
