/** Drover's entry among the MCP servers of Claude Code. Only read here: `claude mcp add` and `remove` write it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, type Paths, userHome } from '../../paths.ts';
import { isMcpScript } from '../mcp-script.ts';

/** The name of the server in Claude Code. Its tools are `mcp__drover__<tool>`. */
export const mcpServerName = 'drover';

/** The file with the user's MCP servers. */
export const mcpEntryFile = (env: Env): string =>
  join(env.CLAUDE_CONFIG_DIR || userHome(env), '.claude.json');

/** How Claude Code starts the server. */
export const mcpCommand = (paths: Paths): [command: string, script: string] => ['sh', paths.mcpScript];

/**
 * `own`: Drover's entry with this script; `old`: with another one; `other`: the name belongs to something else; `unreadable`: the
 * file is not JSON and may have an entry of Drover.
 */
export type McpEntry = 'none' | 'own' | 'old' | 'other' | 'unreadable';

export const mcpEntry = (env: Env, paths: Paths): McpEntry => {
  const args = registeredArgs(env);
  if (args === undefined) return isDamaged(env) ? 'unreadable' : 'none';
  if (!isOurs(args)) return 'other';
  return args[0] === paths.mcpScript ? 'own' : 'old';
};

/** Whether the user's MCP servers have Drover, whichever home it uses. */
export const isRegistered = (env: Env): boolean => isOurs(registeredArgs(env));

/** A script of that name that Drover did not write belongs to somebody else; one that is gone was Drover's. */
const isOurs = (args: string[] | undefined): boolean => {
  const [script = ''] = args ?? [];
  return args?.length === 1 && script.endsWith('/mcp.sh') && isMcpScript(script) !== false;
};

/** The arguments of the entry; undefined without one. */
const registeredArgs = (env: Env): string[] | undefined => {
  try {
    const { mcpServers } = JSON.parse(readFileSync(mcpEntryFile(env), 'utf8')) as {
      mcpServers?: Record<string, { args?: unknown }>;
    };
    const entry = mcpServers?.[mcpServerName];
    if (!entry) return undefined;
    return Array.isArray(entry.args) ? entry.args.map(String) : [];
  } catch {
    return undefined;
  }
};

/** Whether the file is not JSON and names a script like Drover's. */
const isDamaged = (env: Env): boolean => {
  const text = textOf(mcpEntryFile(env));
  if (text === null || !text.includes('/mcp.sh')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
};

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
