/** `drover setup --mcp`: registers the MCP server with Claude Code, with its own token. */
import { spawn } from 'node:child_process';
import { locateCli } from '../../claude/find-cli.ts';
import { DroverError } from '../../contract/error.ts';
import type { Right } from '../../contract/rights.ts';
import { readConfig } from '../../daemon/config.ts';
import {
  mcpCommand,
  type McpEntry,
  mcpEntry,
  mcpEntryFile,
  mcpServerName,
} from '../../hook/install/mcp-entry.ts';
import { enabledPlugins } from '../../hook/install/registered.ts';
import { installMcpScript } from '../../hook/mcp-script.ts';
import { limits } from '../../limits.ts';
import { readGrant } from '../../mcp/daemon.ts';
import type { Env } from '../../paths.ts';
import { type Call, flag } from '../verb.ts';
import { configDirsOf, grantMcp, noteRegistration, revokeMcp } from './mcp-token.ts';

const rightsOf = (call: Call): Right[] => [
  'read',
  ...(flag(call, 'answer') ? (['answer'] as const) : []),
  ...(flag(call, 'drive') ? (['drive'] as const) : []),
];

export const setupMcp = (call: Call): Promise<number> =>
  flag(call, 'remove') ? remove(call) : install(call);

const install = async (call: Call): Promise<number> => {
  const { env, paths, cwd } = call;
  const rights = rightsOf(call);
  const entry = mcpEntry(env, paths);
  const [plugin] = enabledPlugins(env, cwd);
  // With the plugin the tools are registered already.
  const steps = plugin && entry === 'none' ? [] : stepsFor(entry, paths);
  if (entry === 'other')
    throw new DroverError(
      'refused',
      `${mcpEntryFile(env)} has another MCP server named ${mcpServerName}.`,
      `Remove it first: claude mcp remove --scope user ${mcpServerName}`,
    );
  if (entry === 'unreadable') throw unreadable(env, 'Nothing was changed.');
  if (flag(call, 'dry-run')) return plan(call, steps, rights);
  // Looked for first: without a CLI nothing is written.
  if (steps.length > 0) findClaude(call);
  const earlier = readGrant(paths)?.rights ?? [];
  const granted = await grantMcp(call, rights);
  installMcpScript(paths);
  for (const step of steps) await runClaude(call, env, step);
  if (!plugin || entry !== 'none') noteRegistration(paths, env.CLAUDE_CONFIG_DIR ?? '');
  const changed = granted || steps.length > 0;
  if (flag(call, 'json')) {
    call.out(
      JSON.stringify({
        changed,
        rights,
        registered: plugin && entry === 'none' ? plugin : mcpEntryFile(env),
      }),
    );
    return 0;
  }
  if (plugin && entry === 'none') call.out(`The plugin ${plugin} has registered the MCP server.`);
  else
    call.out(
      steps.length > 0
        ? `Registered the MCP server "${mcpServerName}" in ${mcpEntryFile(env)}.`
        : `The MCP server is already registered in ${mcpEntryFile(env)}.`,
    );
  call.out(`Its token may ${rights.join(', ')}. It never acts on the session that it runs in.`);
  const taken = earlier.filter(right => !rights.includes(right));
  if (taken.length > 0) call.out(`It may no longer ${taken.join(', ')}.`);
  if (!flag(call, 'drive'))
    call.out('`drover setup --mcp --drive` lets it start, message and stop sessions too.');
  if (flag(call, 'answer'))
    call.out('It can approve requests of other sessions, even for work that it gave them.');
  return 0;
};

/** Removes the entry and the token. The script stays for the plugin. */
export const remove = async (call: Call): Promise<number> => {
  if (flag(call, 'dry-run'))
    return plan(
      call,
      registrations(call).map(() => removal),
      [],
    );
  const { entry, token, files } = await removeMcp(call);
  if (flag(call, 'json')) call.out(JSON.stringify({ changed: entry || token, entry, token }));
  else if (!entry) call.out(`No MCP server of Drover in ${mcpEntryFile(call.env)}.`);
  else for (const file of files) call.out(`Removed the MCP server "${mcpServerName}" from ${file}.`);
  if (token && !flag(call, 'json')) call.out('Removed its token.');
  return 0;
};

/** Removes whatever `setup --mcp` left, and reports what there was. The token goes first: that needs no Claude CLI. */
export const removeMcp = async (call: Call): Promise<{ entry: boolean; token: boolean; files: string[] }> => {
  const found = registrations(call);
  const token = await revokeMcp(call);
  if (mcpEntry(call.env, call.paths) === 'unreadable') throw unreadable(call.env, 'Its token is revoked.');
  const files = found.map(mcpEntryFile);
  for (const [at, env] of found.entries())
    await runClaude(call, env, removal).catch((error: Error) => {
      throw new DroverError(
        'failed',
        `The entry of the MCP server is still in ${files.slice(at).join(' and ')}: ${error.message}`,
        `Its token is revoked. Remove the entry with \`claude ${removal.join(' ')}\`.`,
      );
    });
  return { entry: found.length > 0, token, files };
};

/** The environments of Claude Code in which the server is registered: this one, and others in which setup has registered it. */
const registrations = ({ env, paths }: Call): Env[] => {
  const others = configDirsOf(readGrant(paths))
    .map(dir => ({ ...env, CLAUDE_CONFIG_DIR: dir === '' ? undefined : dir }))
    .filter(other => mcpEntryFile(other) !== mcpEntryFile(env) && mcpEntry(other, paths) === 'own');
  return ['own', 'old'].includes(mcpEntry(env, paths)) ? [env, ...others] : others;
};

const unreadable = (env: Call['env'], done: string): DroverError =>
  new DroverError(
    'bad_settings',
    `${mcpEntryFile(env)} is not JSON. It may have an entry of Drover.`,
    `Fix the file, then run this again. ${done}`,
  );

const addition = (paths: Call['paths']): string[] => [
  'mcp',
  'add',
  '--scope',
  'user',
  mcpServerName,
  '--',
  ...mcpCommand(paths),
];
const removal = ['mcp', 'remove', '--scope', 'user', mcpServerName];

const stepsFor = (entry: McpEntry, paths: Call['paths']): string[][] => {
  if (entry === 'none') return [addition(paths)];
  return entry === 'old' ? [removal, addition(paths)] : [];
};

const plan = (call: Call, steps: string[][], rights: Right[]): number => {
  if (flag(call, 'json')) call.out(JSON.stringify({ run: steps.map(step => ['claude', ...step]), rights }));
  else {
    for (const step of steps) call.out(`Would run: claude ${step.join(' ')}`);
    if (rights.length > 0) call.out(`Would give it a token that may ${rights.join(', ')}.`);
    call.err('Nothing was written.');
  }
  return 0;
};

const findClaude = ({ env, paths }: Call): string => {
  const cli = locateCli(env, readConfig(paths.config).claude);
  if (cli) return cli.path;
  throw new DroverError(
    'failed',
    'No Claude CLI was found.',
    'Install Claude Code, or set `claude` in config.json to its path.',
  );
};

/** Runs the CLI, which alone writes its own file. */
const runClaude = async (call: Call, env: Env, args: string[]): Promise<void> => {
  const { code, output } = await finished(findClaude(call), args, env);
  if (code !== 0)
    throw new DroverError(
      'failed',
      `\`claude ${args.join(' ')}\` failed: ${output.trim() || `exit code ${code}`}`,
    );
};

const finished = (
  path: string,
  args: string[],
  env: Call['env'],
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      env: { ...env, DISABLE_AUTOUPDATER: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limits.mcp.register,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + String(chunk)).slice(-2_000);
      });
    child.on('error', reject);
    child.on('close', code => resolve({ code, output }));
  });
