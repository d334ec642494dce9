/** Architecture rules. Each runs over the real tree, and over a sample that breaks it, to show that it can fail. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generated } from '../scripts/generated.ts';
import { overview, verbHelp } from '../src/cli/output/help.ts';
import { verbGroups, verbs } from '../src/cli/table/verbs.ts';
import { cycles, loads, wrongDirection } from './rules/direction.ts';
import { type Source, sources } from './rules/sources.ts';
import {
  impure,
  needlessOwnTime,
  serverOverHttp,
  strayBroker,
  strayPlatform,
  straySql,
  strayTime,
  strayTmux,
  vagueNames,
} from './rules/territory.ts';

const tree = sources();
const sample = (path: string, text: string): Source[] => [{ path, text }];

test.each<[string, (files: Source[]) => string[], Source[]]>([
  [
    'imports follow the way of an event',
    wrongDirection,
    sample('src/session/fold.ts', "import { Store } from '../store/store.ts';"),
  ],
  [
    'there are no cycles',
    cycles,
    [
      ...sample('src/a.ts', "import { b } from './b.ts';"),
      ...sample('src/b.ts', "import { a } from './a.ts';"),
    ],
  ],
  ['only tmux/ runs tmux', strayTmux, sample('src/cli/x.ts', "spawnSync('tmux', ['ls'])")],
  ['only store/ speaks SQL', straySql, sample('src/live/x.ts', 'db.prepare("SELECT 1")')],
  ['session/ does no IO and reads no clock', impure, sample('src/session/x.ts', 'const now = Date.now();')],
  [
    'the daemon takes the time of day from its clock',
    strayTime,
    sample('src/live/x.ts', 'const isOld = Date.now() - since > age;'),
  ],
  ['also as an object', strayTime, sample('src/notify/x.ts', 'const at = new Date().toISOString();')],
  ['also as a function', strayTime, sample('src/fleet/x.ts', 'openBus({ now: Date.now });')],
  ['only platform/ reads /proc', strayPlatform, sample('src/watch/x.ts', "readFileSync('/proc/1/stat')")],
  [
    'only platform/ asks for the platform',
    strayPlatform,
    sample('src/watch/x.ts', "if (process.platform === 'darwin') return;"),
  ],
  [
    'only platform/ reads files of the system',
    strayPlatform,
    sample('src/fleet/x.ts', "readFileSync('/etc/machine-id')"),
  ],
  ['only platform/ compares its name', strayPlatform, sample('src/cli/x.ts', "systemName === 'linux'")],
  ['only platform/ runs ps', strayPlatform, sample('src/watch/x.ts', "execFileSync('ps', ['-A'])")],
  [
    'handlers know nothing of HTTP, nor does the dispatcher',
    serverOverHttp,
    sample('src/server/handlers/x.ts', "import type { IncomingMessage } from 'node:http';"),
  ],
  [
    'only one file knows the client of the broker',
    strayBroker,
    sample('src/daemon/x.ts', "import { connect } from '@nats-io/transport-node';"),
  ],
  ['file names say what they export', vagueNames, sample('src/live/utils.ts', '')],
])('%s', (_, rule, broken) => {
  expect(rule(tree)).toEqual([]);
  expect(rule(broken)).not.toEqual([]);
});

test('every file that may ask for the time of day does', () => {
  expect(needlessOwnTime(tree)).toEqual([]);
});

test('a command loads only what it uses: no schema library, no database, no parser', () => {
  const heavy = /^(?:zod|jsonc-parser|@photostructure\/sqlite)$/;
  for (const verb of [
    'status',
    'events',
    'down',
    'up',
    'restart',
    'forget',
    'completion',
    'print',
    'answer',
    'hold',
  ])
    expect([verb, [...loads(tree, `src/cli/verbs/${verb}.ts`)].filter(name => heavy.test(name))]).toEqual([
      verb,
      [],
    ]);
  expect([...loads(tree, 'src/daemon/run.ts')]).toContain('zod');
  expect([...loads(tree, 'src/main.ts')].filter(path => path.startsWith('src/')).length).toBeLessThan(30);
});

test('only `drover mcp` loads the SDK of MCP', () => {
  const hasSdk = (file: string) =>
    [...loads(tree, file)].some(name => name.startsWith('@modelcontextprotocol/'));
  const files = readdirSync('src/cli/verbs').filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(files.filter(name => hasSdk(`src/cli/verbs/${name}`))).toEqual(['mcp.ts']);
  for (const file of ['src/main.ts', 'src/daemon/run.ts', 'src/client/waiter.ts', 'src/client/library.ts'])
    expect([file, hasSdk(file)]).toEqual([file, false]);
});

test('the fleet is loaded only where this machine has joined one', () => {
  for (const file of ['src/main.ts', 'src/daemon/run.ts', 'src/client/waiter.ts', 'src/cli/verbs/ls.ts'])
    expect([file, [...loads(tree, file)].filter(name => name.startsWith('@nats-io/'))]).toEqual([file, []]);
});

test('generated files are up to date', () => {
  for (const [file, text] of Object.entries(generated()))
    expect(readFileSync(file, 'utf8'), `${file}: npm run generate`).toBe(text);
});

test('README and guides name only commands that exist', () => {
  const known = new Set([...verbs.map(verb => verb.name), 'client']);
  const guides = readdirSync('docs/guides').map(file => `docs/guides/${file}`);
  for (const file of ['README.md', ...guides]) {
    const text = readFileSync(file, 'utf8');
    const named = [...text.matchAll(/(?:^|`|&& )drover ([a-z]+)/gm)].map(match => match[1] as string);
    expect([file, named.filter(name => !known.has(name))]).toEqual([file, []]);
  }
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/commands.md)');
});

test('summaries are sentences without a period, every flag has help, and all help fits 80 columns', () => {
  const wide = (text: string) => text.split('\n').filter(line => line.length > 80);
  expect(wide(overview(verbGroups))).toEqual([]);
  for (const verb of verbs) expect([verb.name, wide(verbHelp(verb))]).toEqual([verb.name, []]);
  for (const verb of verbs) {
    expect(verb.summary).toMatch(/^[A-Z].{10,}[^.]$/);
    for (const [name, option] of Object.entries(verb.options))
      expect([verb.name, name, option.help.length > 5]).toEqual([verb.name, name, true]);
  }
});

test('the runtime dependencies are few, and the lockfile names no registry', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; resolved?: string }>;
  };
  const runtime = Object.entries(lock.packages)
    .filter(([name, entry]) => name && !entry.dev && !entry.optional)
    .map(([name]) => name);
  expect(runtime).toContain('node_modules/@photostructure/sqlite');
  expect(runtime.length).toBeLessThan(8);
  expect(Object.values(lock.packages).filter(entry => entry.resolved?.startsWith('http'))).toEqual([]);
});

test('tracked files hold no path of a machine and no broad kill', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const own = `${process.cwd()}/`;
  const bad = files
    .filter(file => !/\.(?:png|gif)$/.test(file))
    .filter(file => {
      const text = readFileSync(file, 'utf8');
      return (
        text.includes(own) ||
        (/\.(?:ts|mjs|sh)$/.test(file) && !file.includes('.arch.test') && /\b(?:pkill|killall)\b/.test(text))
      );
    });
  expect(bad).toEqual([]);
});

test('every folder of src is in the layout of ARCHITECTURE.md', () => {
  const text = readFileSync('docs/ARCHITECTURE.md', 'utf8');
  for (const { name } of readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory()))
    expect(text).toContain(`${name}/`);
});

test('every file that ARCHITECTURE.md names exists; the walk of an event has at most 14 files, that of a message at most 16', () => {
  const text = readFileSync('docs/ARCHITECTURE.md', 'utf8');
  const named = [...text.matchAll(/`(src\/[\w./-]+\.\w+)`/g)].map(match => match[1] as string);
  expect(named.filter(file => !existsSync(file))).toEqual([]);
  const walk = (title: string) => {
    const section = text.split(/^## /m).find(part => part.startsWith(title)) ?? '';
    const steps = section.match(/^\d+\. .*(?:\n {3}.*)*/gm) ?? [];
    return steps.flatMap(step => [...step.matchAll(/`(src\/[^`]+)`/g)].map(match => match[1]));
  };
  for (const [title, most] of [
    ['One event', 14],
    ['One message', 16],
  ] as const) {
    const files = walk(title);
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(new Set(files).size).toBe(files.length);
  }
});
