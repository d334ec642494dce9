/** `setup --mcp` with a stand-in for the CLI that keeps its servers in .claude.json, as the real one does. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGrant } from '../../mcp/daemon.ts';
import { pathsFrom } from '../../paths.ts';
import { sha256 } from '../../sha256.ts';
import { readTokens, removeToken, renewToken } from '../../files/token-file.ts';
import { mcpScriptRepairs } from '../repair/mcp-script.ts';
import type { Call } from '../verb.ts';
import { mcpChecks } from './mcp-check.ts';
import { setupMcp } from './setup-mcp.ts';

let home: string;
let env: Record<string, string>;

const standIn = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const file = (process.env.CLAUDE_CONFIG_DIR || process.env.HOME) + '/.claude.json';
const kept = (() => { try { return JSON.parse(readFileSync(file, 'utf8')); } catch { return {}; } })();
const [, action, , , name, , command, ...args] = process.argv.slice(2);
kept.mcpServers ??= {};
if (action === 'add' && kept.mcpServers[name]) { console.error('already exists'); process.exit(1); }
if (action === 'add') kept.mcpServers[name] = { type: 'stdio', command, args, env: {} };
else delete kept.mcpServers[name];
writeFileSync(file, JSON.stringify(kept));
`;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-mcp-'));
  env = { HOME: home, PATH: join(home, 'bin') };
  mkdirSync(join(home, 'bin'));
  const claude = join(home, 'bin', 'claude');
  writeFileSync(claude, standIn);
  chmodSync(claude, 0o755);
});

afterEach(() => rmSync(home, { recursive: true }));

const callOf = (options: Call['options'] = {}, out: string[] = []): Call => ({
  verb: { name: 'setup', args: '', summary: '', options: {}, load: () => import('../verbs/setup.ts') },
  args: [],
  options: { mcp: true, ...options },
  rest: [],
  env,
  paths: pathsFrom(env),
  cwd: home,
  payload: () => {},
  out: text => void out.push(text),
  err: text => void out.push(text),
  tty: false,
});

const setup = async (options: Call['options'] = {}) => {
  const out: string[] = [];
  return { code: await setupMcp(callOf(options, out)), out: out.join('\n') };
};

const isRegisteredIn = (file: string): boolean =>
  'drover' in (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }).mcpServers;

const paths = () => pathsFrom(env);
const servers = () =>
  (JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')) as { mcpServers: Record<string, object> })
    .mcpServers;
const tokens = () => readTokens(paths().tokens).map(({ name, rights }) => [name, rights]);

test('registers the server once and gives it a token that only reads', async () => {
  expect((await setup()).out).toMatch(
    /^Registered the MCP server "drover" in .*\.claude\.json\.\nIts token may read\./,
  );
  expect(servers()).toEqual({
    drover: expect.objectContaining({ command: 'sh', args: [paths().mcpScript] }),
  });
  expect(readFileSync(paths().mcpScript, 'utf8')).toContain(` mcp "$@"`);
  expect(tokens()).toEqual([['drover-mcp', ['read']]]);
  const { token } = readGrant(paths()) ?? {};
  expect(statSync(paths().mcp).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(servers())).not.toContain(token);
  expect((await setup()).out).toContain('already registered');
  expect(readGrant(paths())?.token).toBe(token);
});

test('--drive replaces the token, and without it the rights are taken back', async () => {
  await setup();
  const { token } = readGrant(paths()) ?? {};
  await setup({ drive: true });
  expect(tokens()).toEqual([['drover-mcp', ['read', 'drive']]]);
  expect(readGrant(paths())?.token).not.toBe(token);
  expect((await setup({ drive: true, answer: true })).out).toContain(
    'It can approve requests of other sessions',
  );
  expect(tokens()).toEqual([['drover-mcp', ['read', 'answer', 'drive']]]);
  expect((await setup()).out).toContain(
    'Its token may read. It never acts on the session that it runs in.\nIt may no longer answer, drive.\n',
  );
  expect(tokens()).toEqual([['drover-mcp', ['read']]]);
  expect((await setup()).out).not.toContain('no longer');
});

test('--remove removes entry and token, and says when there was none', async () => {
  await setup({ drive: true });
  expect((await setup({ remove: true })).out).toMatch(/^Removed the MCP server .*\nRemoved its token\.$/);
  expect(servers()).toEqual({});
  expect(tokens()).toEqual([]);
  expect(readGrant(paths())).toBeNull();
  expect((await setup({ remove: true })).out).toMatch(/^No MCP server of Drover in /);
});

test('--remove revokes the token even if the CLI fails, and says what is left', async () => {
  await setup();
  writeFileSync(join(home, 'bin', 'claude'), '#!/bin/sh\nexit 3\n');
  await expect(setup({ remove: true })).rejects.toMatchObject({
    message: expect.stringMatching(/^The entry of the MCP server is still in .*exit code 3$/),
    hint: expect.stringContaining('Its token is revoked.'),
  });
  expect(tokens()).toEqual([]);
  expect(readGrant(paths())).toBeNull();
});

test('a rotated token is replaced; a token of that name that somebody else made is left alone', async () => {
  await setup();
  renewToken(paths().tokens, 'drover-mcp', Date.now());
  await setup();
  const hash = sha256(readGrant(paths())?.token ?? '');
  expect(readTokens(paths().tokens).map(kept => kept.hash)).toEqual([hash]);
  rmSync(paths().mcp);
  await expect(setup()).rejects.toThrow('There is already a token drover-mcp.');
  await setup({ remove: true });
  expect(readTokens(paths().tokens).map(kept => kept.hash)).toEqual([hash]);
});

test('an entry of another home is replaced, a server of somebody else is left alone', async () => {
  const write = (args: string[]) =>
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ mcpServers: { drover: { command: 'sh', args } } }),
    );
  write(['/elsewhere/mcp.sh']);
  await setup();
  expect(servers()).toMatchObject({ drover: { args: [paths().mcpScript] } });
  write(['serve', '--cattle']);
  await expect(setup()).rejects.toThrow('another MCP server named drover');
  expect((await setup({ remove: true })).out).toContain('No MCP server of Drover');
  expect(servers()).toMatchObject({ drover: { args: ['serve', '--cattle'] } });
});

test('a script of that name that Drover did not write belongs to somebody else', async () => {
  const script = join(home, 'mcp.sh');
  writeFileSync(script, '#!/bin/sh\nexec cattle\n');
  const entry = { command: 'sh', args: [script] };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { drover: entry } }));
  await expect(setup()).rejects.toThrow('another MCP server named drover');
  expect((await setup({ remove: true })).out).toContain('No MCP server of Drover');
  expect(servers()).toEqual({ drover: entry });
});

test('--remove finds the entries in other configuration folders too, and asks for damaged files to be fixed', async () => {
  const other = join(home, 'other');
  mkdirSync(other);
  const registered = () => [join(home, '.claude.json'), join(other, '.claude.json')].filter(isRegisteredIn);
  await setup();
  env.CLAUDE_CONFIG_DIR = other;
  await setup({ drive: true });
  delete env.CLAUDE_CONFIG_DIR;
  await setup({ drive: true });
  expect(registered()).toHaveLength(2);
  expect((await setup({ remove: true })).out).toMatch(
    /^(Removed the MCP server .*\n){2}Removed its token\.$/,
  );
  expect(registered()).toEqual([]);

  await setup();
  const text = readFileSync(join(home, '.claude.json'), 'utf8');
  writeFileSync(join(home, '.claude.json'), `${text},`);
  for (const options of [{}, { remove: true }])
    await expect(setup(options)).rejects.toThrow('.claude.json is not JSON. It may have an entry of Drover.');
  expect(tokens()).toEqual([]);
  writeFileSync(join(home, '.claude.json'), text);
  expect((await setup({ remove: true })).out).toContain('Removed the MCP server');
});

test('doctor names a token that was removed and a script that is gone, and repairs the script', async () => {
  await setup({ drive: true });
  const check = () => mcpChecks(callOf())[0];
  expect(check()).toMatchObject({ ok: true });
  rmSync(paths().mcpScript);
  expect(check()).toMatchObject({ ok: false, says: expect.stringContaining('mcp.sh does not exist') });
  const [repair] = mcpScriptRepairs(callOf());
  expect(repair).toMatchObject({ name: 'mcp script', changes: [`write ${paths().mcpScript}`] });
  await repair?.run();
  expect(mcpScriptRepairs(callOf())).toEqual([]);
  removeToken(paths().tokens, 'drover-mcp');
  expect(check()).toMatchObject({
    ok: false,
    says: expect.stringContaining('its token was removed or replaced'),
    fix: 'run `drover setup --mcp --drive`',
  });
});

test('rights of the MCP server without --mcp are a wrong usage: nothing is registered', async () => {
  const { run } = await import('../verbs/setup.ts');
  for (const name of ['drive', 'answer'])
    await expect(run(callOf({ mcp: false, [name]: true }))).rejects.toThrow(`--${name} needs --mcp.`);
  await expect(run(callOf({ mcp: true, scope: 'project' }))).rejects.toThrow(
    '--scope cannot be used with --mcp.',
  );
  expect(() => statSync(paths().home)).toThrow('ENOENT');
});

test('with the plugin only the token is made', async () => {
  mkdirSync(join(home, '.claude', 'plugins'), { recursive: true });
  const installed = { plugins: { 'drover@drover': [] } };
  writeFileSync(join(home, '.claude', 'plugins', 'installed_plugins.json'), JSON.stringify(installed));
  writeFileSync(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({ enabledPlugins: { 'drover@drover': true } }),
  );
  expect((await setup()).out).toContain('The plugin drover@drover has registered the MCP server.');
  expect(() => servers()).toThrow('ENOENT');
  expect(tokens()).toEqual([['drover-mcp', ['read']]]);
});

test('--dry-run names the command and writes nothing', async () => {
  const { out } = await setup({ 'dry-run': true });
  expect(out).toContain(`Would run: claude mcp add --scope user drover -- sh ${paths().mcpScript}`);
  expect(() => statSync(paths().home)).toThrow('ENOENT');
});

test('inside a session it is refused, and without a CLI it says so', async () => {
  env.CLAUDECODE = '1';
  await expect(setup({ drive: true })).rejects.toThrow(expect.objectContaining({ code: 'nested' }));
  expect(() => servers()).toThrow('ENOENT');
  delete env.CLAUDECODE;
  rmSync(join(home, 'bin', 'claude'));
  const node = process.execPath;
  process.execPath = join(home, 'node');
  try {
    await expect(setup()).rejects.toThrow('No Claude CLI was found.');
    expect(tokens()).toEqual([]);
  } finally {
    process.execPath = node;
  }
});
