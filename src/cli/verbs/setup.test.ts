import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pathsFrom } from '../../paths.ts';
import { ownCommand } from '../output/own-command.ts';
import { run } from './setup.ts';
import type { Call } from '../verb.ts';

let home: string;
let env: Record<string, string>;
const node = process.execPath;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-setup-'));
  env = { HOME: home, PATH: join(home, 'bin') };
  mkdirSync(join(home, 'bin'));
  // A claude next to the real node would be found.
  process.execPath = join(home, 'node');
});

afterEach(() => {
  process.execPath = node;
  rmSync(home, { recursive: true });
});

const claude = (name: string, version: string) => {
  const file = join(home, name);
  writeFileSync(file, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
  chmodSync(file, 0o755);
};

const setup = async (options: Call['options'] = {}, cwd = home) => {
  const out: string[] = [];
  const err: string[] = [];
  const call: Call = {
    verb: { name: 'setup', args: '', summary: '', options: {}, load: () => import('./setup.ts') },
    args: [],
    options,
    rest: [],
    env,
    paths: pathsFrom(env),
    cwd,
    payload: () => {},
    out: text => void out.push(text),
    err: text => void err.push(text),
    tty: false,
  };
  return { code: await run(call), out: out.join('\n'), err: err.join('\n') };
};

const settings = (folder = home) =>
  JSON.parse(readFileSync(join(folder, '.claude', 'settings.json'), 'utf8'));

test('setup writes emitter, autostart flag and hooks, and names the next step', async () => {
  claude('bin/claude', '2.1.325');
  const { code, out } = await setup();
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Registered 30 events in .*\/\.claude\/settings\.json\.\nNext: start claude in tmux, then run `/,
  );
  expect(out).toContain(`then run \`${ownCommand(env, home)}\`.`);
  expect(Object.keys(settings().hooks)).toHaveLength(30);
  expect(statSync(join(home, '.drover')).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, '.drover', 'emit.sh')).mode & 0o777).toBe(0o700);
  expect(existsSync(join(home, '.drover', 'autostart'))).toBe(true);
  expect((await setup()).out).toContain('are already registered in');
});

test('events that a CLI does not support are not registered, and the CLI is named', async () => {
  claude('bin/claude', '2.1.325');
  mkdirSync(join(home, '.local', 'bin'), { recursive: true });
  claude('.local/bin/claude', '2.1.197');
  const { out } = await setup();
  expect(out).toContain(
    `because ${join(home, '.local/bin/claude')} (2.1.197) does not support them: DirectoryAdded, PreModelSwitch, PostModelSwitch.`,
  );
  expect(settings().hooks).not.toHaveProperty('DirectoryAdded');
});

test('without a CLI the base events are registered, and that is reported', async () => {
  expect((await setup()).out).toContain('no Claude CLI was found');
  expect(Object.keys(settings().hooks)).toHaveLength(27);
});

test('--dry-run prints the diff and writes nothing', async () => {
  const { out, err } = await setup({ 'dry-run': true });
  expect(out).toMatch(/^--- \/dev\/null\n\+\+\+ .*settings\.json\n@@ -0,0 \+1,\d+ @@\n\+\{\n/);
  expect(err).toContain('Nothing was written');
  expect(readdirSync(home)).toEqual(['bin']);
});

test('--remove leaves nothing behind, and --dry-run shows it first', async () => {
  await setup();
  expect((await setup({ remove: true, 'dry-run': true })).out).toContain('+++ /dev/null');
  expect((await setup({ remove: true })).out).toContain("Removed Drover's hooks from");
  expect(existsSync(join(home, '.claude'))).toBe(false);
  expect((await setup({ remove: true })).out).toContain('No Drover hooks in');
});

test('a project scope uses the root of the repository, and says where Claude reads it', async () => {
  const project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'src'));
  const { out } = await setup({ scope: 'project' }, join(project, 'src'));
  expect(out).toContain(`which must be ${project}`);
  expect(Object.keys(settings(project).hooks)).toHaveLength(27);
  const { out: removed } = await setup({ remove: true });
  expect(removed).toContain(`Still registered in ${join(project, '.claude', 'settings.json')}`);
});

test('disabled hooks are reported', async () => {
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), '{"disableAllHooks": true}');
  expect((await setup()).out).toContain('disableAllHooks in');
});

test('a frequent event is registered by name, an event that would replace something never', async () => {
  await setup({ with: ['MessageDisplay'] });
  expect(settings().hooks).toHaveProperty('MessageDisplay');
  await expect(setup({ with: ['WorktreeCreate'] })).rejects.toThrow('replaces what Claude does');
  await expect(setup({ with: ['Nonsense'] })).rejects.toThrow('Unknown hook event');
  await expect(setup({ scope: 'galaxy' })).rejects.toThrow('Unknown scope "galaxy"');
});

test('rejected settings leave no trace of Drover', async () => {
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), '// mine\n{}');
  await expect(setup()).rejects.toThrow(expect.objectContaining({ code: 'bad_settings' }));
  expect(existsSync(join(home, '.drover'))).toBe(false);
});

test('autostart is turned on once and stays off if the user turned it off', async () => {
  await setup();
  rmSync(join(home, '.drover', 'autostart'));
  await setup();
  expect(existsSync(join(home, '.drover', 'autostart'))).toBe(false);
});

test('--json prints the same report', async () => {
  claude('bin/claude', '2.1.197');
  const report = JSON.parse((await setup({ json: true })).out);
  expect(report).toMatchObject({
    scope: 'user',
    file: join(home, '.claude', 'settings.json'),
    changed: true,
    leftOut: [
      { cli: { version: '2.1.197' }, events: ['DirectoryAdded', 'PreModelSwitch', 'PostModelSwitch'] },
    ],
    warnings: [],
  });
  expect(report.events).toHaveLength(27);
});

const config = () => readFileSync(join(home, '.drover', 'config.json'), 'utf8');

test('without a terminal and without a flag, notifications are neither asked about nor changed', async () => {
  const { out } = await setup();
  expect(out).not.toContain('Notif');
  expect(existsSync(join(home, '.drover', 'config.json'))).toBe(false);
});

test('--notify names the desktop if it can show a notice, else the bell; --no-notify keeps the settings', async () => {
  expect((await setup({ notify: true })).out).toContain('Notifications are on, through the terminal bell');
  expect(JSON.parse(config())).toEqual({ notify: { bell: true } });
  expect(statSync(join(home, '.drover', 'config.json')).mode & 0o777).toBe(0o600);
  expect((await setup({ notify: true })).out).toContain('Notifications are already on.');
  expect((await setup({ 'no-notify': true })).out).toContain('Notifications are off.');
  expect(JSON.parse(config())).toEqual({ notify: { bell: true, on: false } });
  expect((await setup({ notify: true })).out).toContain(
    'Notifications are on, as `notify` in config.json says',
  );
  expect(JSON.parse(config())).toEqual({ notify: { bell: true, on: true } });
  await expect(setup({ notify: true, 'no-notify': true })).rejects.toThrow('Choose --notify or --no-notify');
});

test('--notify leaves the other bytes of config.json alone', async () => {
  mkdirSync(join(home, '.drover'));
  writeFileSync(join(home, '.drover', 'config.json'), '{\n    "port":  4001\n}\n');
  for (const name of ['notify-send', 'osascript']) claude(`bin/${name}`, '1');
  const report = JSON.parse((await setup({ notify: true, json: true })).out);
  expect(report.notify).toBe(true);
  expect(config()).toBe('{\n    "port":  4001,\n    "notify": {\n        "desktop": true\n    }\n}\n');
});

test('--no-notify turns off push notifications too, and --notify then names a channel', async () => {
  mkdirSync(join(home, '.drover'));
  const push = { subject: 'mailto:me@example.org', services: ['push.example'] };
  writeFileSync(join(home, '.drover', 'config.json'), JSON.stringify({ push }));
  await setup({ 'no-notify': true });
  expect(JSON.parse(config())).toEqual({ push, notify: { on: false } });
  expect((await setup({ notify: true })).out).toContain('Notifications are on, through the terminal bell');
  expect(JSON.parse(config())).toEqual({ push, notify: { on: true, bell: true } });
});

test('--no-notify writes no config, and the answer is remembered', async () => {
  await setup({ 'no-notify': true });
  expect(existsSync(join(home, '.drover', 'config.json'))).toBe(false);
  expect(JSON.parse(readFileSync(join(home, '.drover', 'setup.json'), 'utf8'))).toMatchObject({
    notifyAsked: true,
  });
  expect(JSON.parse((await setup({ json: true })).out).notify).toBe(null);
});
