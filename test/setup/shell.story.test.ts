/** Commands in a shell: wrong usage, help, completion, the service. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installed } from '../../src/testing/shells.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';

const version = newest;

test('wrong usage exits with 2 and a hint; every command has help', async () => {
  const opened = await world({ version });
  const cases = [
    [['statsu'], 'Did you mean `drover status`?'],
    [['xyz'], '`drover --help` lists all commands.'],
    [['up', 'now'], 'unexpected argument "now"'],
    [['up', '--fast'], 'See `drover up --help`.'],
    [['up', '--port', '99999'], 'Use a number from 0 (any free port) to 65535.'],
    [['forget'], 'a session, --before or --all'],
    [['forget', '5eed0001', '--all'], 'a session, --before or --all'],
    [['forget', '--before', 'soon'], 'For example --before 30d'],
    [['service'], '`drover service install` or `drover service remove`'],
    [['completion', 'tcsh'], 'bash, zsh or fish'],
    [['setup', '--scope', 'galaxy'], 'galaxy'],
  ] as const;
  for (const [args, words] of cases) {
    const { code, stdout, stderr } = await opened.drover(...args);
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(words);
  }
  const page = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8');
  const verbs = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name as string);
  expect(verbs.length).toBeGreaterThan(10);
  const overview = await opened.drover('--help');
  for (const verb of verbs) {
    const help = await opened.drover(verb, '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^Usage: drover ${verb}\\b`));
    expect(page).toContain(help.stdout);
    expect(overview.stdout).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
  }
  expect(await opened.processes()).toEqual([]);
});

test('completion works in bash; zsh and fish get their scripts', async () => {
  const opened = await world({ version });
  const { stdout: script } = await opened.drover('completion', 'bash');
  expect(await opened.run('bash', ['-n'], { input: script })).toEqual({ code: 0, stdout: '', stderr: '' });
  const complete = async (...words: string[]) => {
    const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _drover; echo "\${COMPREPLY[*]}"`;
    const said = await opened.run('bash', ['--norc', '-c', `${script}\n${ask}`, 'bash', 'drover', ...words]);
    expect([said.code, said.stderr]).toEqual([0, '']);
    return said.stdout.trim();
  };
  expect(await complete('statu')).toBe('status');
  expect((await complete('')).split(' ')).toEqual(expect.arrayContaining(['up', 'down', 'events', 'forget']));
  expect(await complete('service', 'in')).toBe('install');
  expect(await complete('events', '--fo')).toBe('--follow');
  expect(await complete('setup', '--scope', 'pro')).toBe('project');
  expect(await complete('usage', '--by', '')).toBe('day project session model');
  expect(await complete('print', '-o', 'j')).toBe('json');
  expect(await complete('notify', 't')).toBe('test');
  expect(await complete('wake', 'a')).toBe('add');
  expect(await complete('nothing', '')).toBe('');
  // A value that is not known is not completed with flags; a path is completed with files.
  expect(await complete('token', 'add', 'x', '--scope', '')).toBe('');
  mkdirSync(join(opened.dir(), 'some folder'));
  expect(await complete('new', '--dir', 'so')).toBe('some folder');
  expect(await complete('report', '-o', 'some')).toBe('some folder');
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout, stderr } = await opened.drover('completion', shell);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/status.+Show whether the daemon is running/);
  }
});

test.skipIf(installed(['zsh']) === null)(
  'completion works in zsh from the first Tab on, from a folder of fpath and sourced',
  async () => {
    const opened = await world({ version });
    const { stdout: script } = await opened.drover('completion', 'zsh');
    const folder = join(opened.root, 'functions');
    mkdirSync(folder);
    writeFileSync(join(folder, '_drover'), script);
    const init = 'autoload -Uz compinit; compinit -u -D';
    for (const [name, start] of [
      ['fpath', `fpath=('${folder}' $fpath); ${init}`],
      ['sourced', `${init}; source '${folder}/_drover'`],
    ] as const) {
      const dir = join(opened.root, name);
      mkdirSync(dir);
      writeFileSync(join(dir, '.zshrc'), `${start}; PS1='> '\n`);
      const shell = await screenOf(opened, ['zsh', '-i'], { env: { ZDOTDIR: dir } });
      await shell.sees('>');
      const completes = async (typed: string, line: string): Promise<void> => {
        await shell.press('C-u', typed, 'Tab');
        await shell.sees(line);
      };
      await completes('drover statu', '> drover status');
      await completes('drover service in', '> drover service install');
      await completes('drover setup --scope pro', '> drover setup --scope project');
    }
  },
);

test('service install and remove write and delete a unit, and report what could not be run', async () => {
  const opened = await world({ version });
  const home = join(opened.root, 'a b 100%h "q" $HOME', 'd');
  const env = {
    DROVER_HOME: home,
    XDG_CONFIG_HOME: join(opened.root, 'con fig'),
    // systemd, also where the other stories run with the code for macOS.
    DROVER_PLATFORM: 'linux',
  };
  const unit = join(env.XDG_CONFIG_HOME, 'systemd', 'user', 'drover.service');
  const service = (what: string) => opened.run(process.execPath, [MAIN, 'service', what], { env });
  const systemctl = (body: string) => {
    const file = join(opened.root, 'bin', 'systemctl');
    writeFileSync(file, `#!/bin/sh\necho "$@" >>'${opened.root}/asked'\n${body}\n`);
    chmodSync(file, 0o755);
  };

  systemctl('echo "Created symlink x" >&2; echo "Failed to connect to bus: No medium found" >&2; exit 1');
  const refused = await service('install');
  expect([refused.code, refused.stderr]).toEqual([0, '']);
  expect(refused.stdout).toBe(
    `Wrote ${unit}\nCould not run systemctl --user enable --now drover.service (Failed to connect to bus: No medium found); run it yourself\n`,
  );
  const text = await readFile(unit, 'utf8');
  const [, program] = /^ExecStart="[^"]+" "([^"]+)" up --foreground$/m.exec(text) ?? [];
  expect(program).toBe(MAIN);
  expect(text).toContain(`"DROVER_HOME=${opened.root}/a b 100%%h \\"q\\" $HOME/d"`);
  expect(text).toMatch(/^WantedBy=default\.target$/m);

  systemctl('exit 0');
  expect((await service('install')).stdout).toBe(
    `Wrote ${unit}\nRan systemctl --user enable --now drover.service\n`,
  );
  expect((await service('remove')).stdout).toBe(
    `Ran systemctl --user disable --now drover.service\nRemoved ${unit}\n`,
  );
  expect(existsSync(unit)).toBe(false);
  expect((await service('remove')).stdout).toBe('No service is installed\n');
  expect((await readFile(join(opened.root, 'asked'), 'utf8')).split('\n')).toEqual([
    '--user enable --now drover.service',
    '--user enable --now drover.service',
    '--user disable --now drover.service',
    '',
  ]);
});
