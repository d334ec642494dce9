import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findClis } from './find-cli.ts';

let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-cli-'));
  env = { HOME: home, PATH: '/usr/bin:/bin', SECRET: 'x' };
});

afterEach(() => rmSync(home, { recursive: true }));

const program = (path: string, script = 'exit 9') => {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
};

const find = async (configured?: string, limit = 5_000) => {
  const path = [join(home, 'bin'), 'relative', '', join(home, 'bin2'), '/usr/bin', '/bin'].join(':');
  const found = await findClis({
    env: { ...env, PATH: path },
    configured,
    node: join(home, 'node', 'bin', 'node'),
    limit,
  });
  return found
    .filter(cli => cli.path.startsWith(home))
    .map(({ path, version }) => [path.slice(home.length + 1), version]);
};

test('every known place is searched', async () => {
  program('conf/claude', 'echo "2.1.1 (Claude Code)"');
  program('bin/claude', 'echo "2.1.2 (Claude Code)"');
  program('bin2/claude', 'echo "2.1.3 (Claude Code)"');
  program('.local/bin/claude', 'echo "2.1.4 (Claude Code)"');
  program('.claude/local/claude', 'echo "2.1.5 (Claude Code)"');
  program('cfg/local/claude', 'echo "2.1.6 (Claude Code)"');
  program('.local/share/claude/versions/2.1.7');
  program('node/bin/claude', 'echo "2.1.8 (Claude Code)"');
  env.CLAUDE_CONFIG_DIR = join(home, 'cfg');
  expect(await find('~/conf/claude')).toEqual([
    ['conf/claude', '2.1.1'],
    ['bin/claude', '2.1.2'],
    ['bin2/claude', '2.1.3'],
    ['.local/bin/claude', '2.1.4'],
    ['.claude/local/claude', '2.1.5'],
    ['cfg/local/claude', '2.1.6'],
    ['.local/share/claude/versions/2.1.7', '2.1.7'],
    ['node/bin/claude', '2.1.8'],
  ]);
});

test('two links to one file are one CLI, and the version of an npm package is known without running it', async () => {
  const real = program('lib/node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  writeFileSync(join(dirname(real), 'package.json'), '{"version":"2.1.197"}');
  for (const folder of ['bin', 'bin2']) {
    mkdirSync(join(home, folder));
    symlinkSync(real, join(home, folder, 'claude'));
  }
  expect(await find()).toEqual([['bin/claude', '2.1.197']]);
});

test("the native installer's file name is the version", async () => {
  const real = program('.local/share/claude/versions/2.1.325');
  program('.local/share/claude/versions/download.tmp');
  mkdirSync(join(home, '.local', 'bin'));
  symlinkSync(real, join(home, '.local', 'bin', 'claude'));
  expect(await find()).toEqual([['.local/bin/claude', '2.1.325']]);
});

test('a file that is not executable is not run', async () => {
  mkdirSync(join(home, 'bin', 'claude'), { recursive: true });
  chmodSync(program('bin2/claude'), 0o644);
  expect(await find()).toEqual([]);
});

test('a CLI that fails, hangs or prints nonsense has no version and does not block', async () => {
  program('bin/claude', 'exit 1');
  program('bin2/claude', 'sleep 60 & sleep 60');
  program('.local/bin/claude', 'echo hello');
  program('node/bin/claude', 'echo; echo "2.2.0-beta.1 (Claude Code)"; exit 1');
  expect(await find(undefined, 300)).toEqual([
    ['bin/claude', null],
    ['bin2/claude', null],
    ['.local/bin/claude', null],
    ['node/bin/claude', '2.2.0-beta.1'],
  ]);
});

test('a CLI gets a minimal environment: home, path and the switches that keep it offline', async () => {
  program('bin/claude', 'env | grep -Ev "^(PWD|_|SHLVL)=" | sort > "$HOME/seen"; echo 1.0.0');
  await find();
  const { readFileSync } = await import('node:fs');
  const names = readFileSync(join(home, 'seen'), 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split('=')[0]);
  expect(names).toEqual(['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', 'DISABLE_AUTOUPDATER', 'HOME', 'PATH']);
});
