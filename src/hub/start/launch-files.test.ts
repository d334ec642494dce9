import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CreateSession } from '../../contract/hub.ts';
import { launchArguments } from '../../resume/launch-arguments.ts';
import { tempHome } from '../../testing/home.ts';
import { copyLaunchFiles, prepareLaunch, pruneLaunchFiles, removeStartScripts } from './launch-files.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const cli = { path: "/opt/it's/claude", version: '2.1.325' };

const launch = (input: Partial<CreateSession> = {}) => {
  const paths = tempHome();
  const script = prepareLaunch(
    paths,
    { HOME: '/home/u' },
    { ANTHROPIC_API_KEY: 'of the daemon', AWS_REGION: 'eu' },
    cli,
    { ...CreateSession.parse({ session_id: id, ...input }), cwd: paths.home },
  );
  const folder = join(paths.managed, id);
  const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
    permissions?: { allow: string[]; deny: string[]; ask?: string[] };
    env?: object;
  };
  const environment = readFileSync(join(folder, 'start.env'), 'utf8');
  return { paths, folder, settings, environment, text: readFileSync(script, 'utf8') };
};

test('only the user can read the folder and its files', () => {
  const { folder } = launch();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).sort()).toEqual(['resume.json', 'settings.json', 'start.env', 'start.sh']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('every option is on the command line or in the environment, quoted for the shell', () => {
  const { text, environment } = launch({
    model: 'opus',
    permission_mode: 'plan',
    name: "it's $(mine)",
    args: ['--add-dir', '/a b'],
    env: { TOKEN: "a'b$(c)", AWS_REGION: 'us' },
  });
  expect(text).toContain(`exec '/opt/it'\\''s/claude' '--session-id' '${id}' '--settings'`);
  expect(text).toContain(
    `'--model' 'opus' '--permission-mode' 'plan' '--name' 'it'\\''s $(mine)' '--add-dir' '/a b'`,
  );
  // What the caller gives overrides what every session gets.
  expect(environment).toBe(
    `export ANTHROPIC_API_KEY='of the daemon'\nexport AWS_REGION='us'\nexport TOKEN='a'\\''b$(c)'\n`,
  );
  expect(text).not.toContain('of the daemon');
  expect(text).toContain('unset CLAUDECODE');
});

test('the settings of the caller are merged into ours, with both hooks', () => {
  const theirs = {
    env: { A: '1' },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'theirs' }] }] },
    permissions: { allow: ['Read'], ask: ['Write'] },
  };
  const { settings, text } = launch({
    args: ['--settings', JSON.stringify(theirs), '--verbose'],
    permissions: { allow: ['Bash(ls:*)'], deny: ['WebFetch'] },
  });
  expect(settings.hooks.Stop?.map(({ hooks }) => hooks[0]?.command)).toEqual([
    'theirs',
    expect.stringContaining('emit.sh'),
  ]);
  expect(settings.hooks.UserPromptSubmit).toHaveLength(1);
  expect(settings.permissions).toEqual({ allow: ['Read', 'Bash(ls:*)'], ask: ['Write'], deny: ['WebFetch'] });
  expect(settings.env).toEqual({ A: '1' });
  expect(text.match(/--settings/g)).toHaveLength(1);
  expect(text).toContain("'--verbose'");
});

test('the settings of the caller may be a file relative to the folder of the session', () => {
  const paths = tempHome();
  writeFileSync(join(paths.home, 'theirs.json'), '{"env":{"A":"1"}}');
  const input = CreateSession.parse({ session_id: id, args: ['--settings=theirs.json'] });
  prepareLaunch(paths, {}, {}, cli, { ...input, cwd: paths.home });
  expect(readFileSync(join(paths.managed, id, 'settings.json'), 'utf8')).toContain('"A": "1"');
});

test.each(['{', '[]', 'nowhere.json'])('`--settings %s` is rejected', given => {
  expect(() => launch({ args: ['--settings', given] })).toThrow('Cannot read --settings in args');
});

test('the arguments for a resume are kept, without a prompt and without secrets', () => {
  const { paths, folder } = launch({
    inherit_hooks: false,
    model: 'opus',
    args: ['do it again'],
    env: { TOKEN: 'secret' },
  });
  const words = ['--settings', join(folder, 'settings.json'), '--setting-sources=', '--model', 'opus'];
  expect(launchArguments(paths, id)).toEqual(words);
  removeStartScripts(paths, id);
  expect(
    readdirSync(folder)
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join(''),
  ).not.toContain('secret');
  expect(launchArguments(paths, 'bbbbbbbb-0000-4000-8000-000000000001')).toEqual([]);
});

test('the successor by /clear has the same settings, which stay as long as it is known', () => {
  const { paths, folder } = launch();
  const next = 'bbbbbbbb-0000-4000-8000-000000000001';
  copyLaunchFiles(paths, id, next);
  expect(launchArguments(paths, next)).toEqual(['--settings', join(folder, 'settings.json')]);
  pruneLaunchFiles(paths, known => known === next);
  expect(readdirSync(paths.managed).sort()).toEqual([id, next]);
  pruneLaunchFiles(paths, () => false);
  expect(readdirSync(paths.managed)).toEqual([]);
});
