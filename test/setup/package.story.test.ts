/** What users get from npm: the packed files, installed without scripts, on each supported Node. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { startDemo } from '../rig/demo.ts';
import { npmInstall } from '../rig/fetch.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { lines } from '../rig/log.ts';
import { newestLts, nodeBinary } from '../rig/node.ts';
import { commandLine } from '../rig/process.ts';
import { run } from '../rig/run.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let packed: string[];
let unpacked: number;
let installed: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(process.env.DROVER_TEST_RUN ?? tmpdir(), 'dv-')));
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  // npm alone may inherit the environment: it needs the user's certificates and registry.
  const { stdout } = await run('npm', args, { env: process.env, cwd: repository });
  const [pack] = JSON.parse(stdout) as [
    { filename: string; unpackedSize: number; files: { path: string }[] },
  ];
  unpacked = pack.unpackedSize;
  packed = pack.files.map(({ path }) => path);
  installed = join(folder, 'in stalled #1 100%25');
  await mkdir(installed);
  await npmInstall(installed, join(folder, pack.filename), true);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package contains what it needs to run and its docs, and nothing else', async () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      'package.json',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'dist/main.js',
      'dist/LICENSES.txt',
      'dist/player.js',
      'dist/usage-worker.js',
      'docs/config.schema.json',
      'man/drover.1',
      'dist/web/app.css',
      'dist/web/app.js',
      'dist/web/icon-192.png',
      'dist/web/icon-512.png',
      'dist/web/index.html',
      'dist/web/manifest.webmanifest',
      'dist/web/sw.js',
      'dist/cli-verbs-mcp.js',
      'plugin/.mcp.json',
      'plugin/commands/changes.md',
      'plugin/commands/queue.md',
      'plugin/commands/send.md',
      'plugin/hooks/hooks.json',
      'plugin/mcp.sh',
      'plugin/skills/other-sessions/SKILL.md',
      'plugin/.claude-plugin/plugin.json',
      '.claude-plugin/marketplace.json',
    ]),
  );
  const top = [...new Set(packed.map(path => path.split('/')[0]))].sort();
  expect(top).toEqual(
    [
      '.claude-plugin',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'drover.tmux',
      'examples',
      'man',
      'package.json',
      'plugin',
    ].sort(),
  );
  const built = packed.filter(path => path.startsWith('dist/'));
  expect(built.filter(path => /\.map$|\.test\.|\.tsx?$/.test(path))).toEqual(['dist/client.d.ts']);
  expect(built.filter(path => /^dist\/web\/[^/]+$/.test(path)).length).toBe(7);
  const chunks = built.filter(path => path.startsWith('dist/web/chunks/'));
  expect(chunks.filter(path => !/^dist\/web\/chunks\/[\w-]+-[A-Z0-9]{8}\.js$/.test(path))).toEqual([]);
  expect(chunks.length).toBeGreaterThan(5);
  // Every user downloads it: each picture must be worth its size.
  expect(unpacked).toBeLessThan(16_000_000);
  const root = join(installed, 'lib', 'node_modules', 'drover');
  for (const path of packed)
    expect([path, (await readFile(join(root, path), 'utf8')).includes(repository)]).toEqual([path, false]);
});

test('`bin` contains only drover', async () => {
  const root = join(installed, 'lib', 'node_modules', 'drover');
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { bin: object };
  expect(bin).toEqual({ drover: 'dist/main.js' });
  expect(await readdir(join(installed, 'bin'))).toEqual(['drover']);
});

test('installed, it runs on this Node and on the newest LTS, over the same log, without a warning', async () => {
  const opened = await world({ version: newest });
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    version: string;
  };
  const nodes = [process.execPath, await nodeBinary(newestLts), process.execPath];
  for (const [turn, node] of nodes.entries()) {
    const env = { PATH: [dirname(node), opened.env().PATH].join(delimiter) };
    const command = join(installed, 'bin', 'drover');
    const ran = (...args: string[]) => opened.run(command, args, { env });
    const drover = async (...args: string[]) => {
      const { code, stdout, stderr } = await ran(...args);
      expect([args, code, stderr]).toEqual([args, 0, '']);
      return stdout;
    };
    expect(await drover('--version')).toMatch(
      new RegExp(`^${version.replaceAll('.', '\\.')}\\+[0-9a-f]{10}\\n$`),
    );
    const { fire } = await hooksOf(opened, ran);
    expect(await drover('up', '--port', '0')).toMatch(/^Running: /);
    const { pid } = JSON.parse(await drover('status', '--json')) as { pid: number };
    expect(await realpath(commandLine(pid).split(' ')[0] as string)).toBe(await realpath(node));
    await fire({ session_id: sessionId(turn), hook_event_name: 'UserPromptSubmit', prompt: `turn ${turn}` });
    const heard = await until(
      10_000,
      () => 'the event does not arrive',
      async () => {
        const found = lines(await drover('events', '--json')).filter(({ source }) => source === 'hook');
        return found.length > turn ? found : undefined;
      },
    );
    expect(heard.map(({ payload }) => payload.prompt)).toEqual(
      Array.from({ length: turn + 1 }, (_, n) => `turn ${n}`),
    );
    expect(await drover('events')).toMatch(new RegExp(`UserPromptSubmit +turn ${turn}$`, 'm'));
    expect(await drover('down')).toMatch(/^Stopped/);
    const said = await readFile(join(opened.droverHome, 'log', 'start.log'), 'utf8');
    expect(said).not.toMatch(/warning|experimental/i);
  }
});

test('in a fresh home it sets up hooks and MCP server, shows its manual, and is removed again without a trace in the settings', async () => {
  const opened = await world({ version: newest });
  const settings = join(opened.home, '.claude', 'settings.json');
  // Not `model`: a start of the CLI, as in `claude mcp add`, migrates old names of models and rewrites the file.
  const before = '{\n\t"cleanupPeriodDays" : 90,\n\t"hooks": {"Stop": []} }';
  await mkdir(dirname(settings), { recursive: true });
  await writeFile(settings, before);
  const drover = async (...args: string[]) => {
    const { code, stdout, stderr } = await opened.run(join(installed, 'bin', 'drover'), args);
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  expect(await drover('setup')).toMatch(/^Registered \d+ events/);
  expect(await readFile(settings, 'utf8')).toContain('emit.sh');
  const manual = join(installed, 'share', 'man', 'man1', 'drover.1');
  expect(await realpath(manual)).toBe(join(installed, 'lib', 'node_modules', 'drover', 'man', 'drover.1'));
  // Without `man` the page is still there.
  const page = await opened
    .run('man', ['--warnings', '-E', 'UTF-8', '-l', manual], { env: { MANWIDTH: '80', MANROFFOPT: '' } })
    .catch(() => null);
  if (page?.code === 0) {
    expect(page.stderr).toBe('');
    expect(page.stdout).toMatch(/^ANSWER$[^]*drover answer <session>[^]*^SET UP$[^]*drover config/m);
  } else expect(await readFile(manual, 'utf8')).toContain('.SH SET UP');
  expect(await drover('config', 'set', 'port', '0')).toMatch(/^port: 0\n/);
  expect(await drover('config', 'schema')).toContain('"$schema"');
  expect(await drover('setup', '--mcp')).toContain('Registered the MCP server');
  const servers = async () =>
    (JSON.parse(await readFile(join(opened.home, '.claude.json'), 'utf8')) as { mcpServers: object })
      .mcpServers;
  expect(Object.keys(await servers())).toEqual(['drover']);
  const client = new Client({ name: 'story', version: '1' });
  const args = [join(opened.droverHome, 'mcp.sh')];
  await client.connect(
    new StdioClientTransport({ command: 'sh', args, env: opened.env(), cwd: opened.home }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('list_sessions');
  await client.close();
  const root = join(installed, 'lib', 'node_modules', 'drover');
  for (const path of [root, join(root, 'plugin')]) {
    const { stdout } = await opened.run('claude', ['plugin', 'validate', path]);
    expect([path, stdout]).toEqual([path, expect.stringContaining('Validation passed')]);
  }
  expect(await drover('uninstall', '--yes', '--delete-data')).toContain('Removed the MCP server');
  expect(await servers()).toEqual({});
  expect(await readFile(settings, 'utf8')).toBe(before);
  expect(await readdir(opened.home)).not.toContain('.drover');
});

test('the installed demo runs and serves its page', async () => {
  const opened = await world({ version: newest });
  const main = join(installed, 'lib', 'node_modules', 'drover', 'dist', 'main.js');
  const demo = await startDemo(opened, {}, main);
  await demo.session(({ state }) => state === 'waiting');
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page/app.js', 'text/javascript'],
    ['/page/app.css', 'text/css'],
  ] as const) {
    const answer = await fetch(new URL(path, demo.url));
    expect([path, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
      path,
      200,
      type,
    ]);
    await answer.arrayBuffer();
  }
  demo.child.kill('SIGTERM');
  expect(await demo.ended).toBe(0);
  await demo.gone();
});
