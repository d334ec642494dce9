/** Writes mcp.sh into DROVER_HOME. Its path is registered once; the paths of node and of the program may change. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Paths } from '../paths.ts';
import { nodePath } from '../platform/node-path.ts';
import { quote } from '../quote.ts';
import { programFile } from '../program-file.ts';

/** Whether the script is there as this version writes it; null: it is missing. */
export const isMcpScriptCurrent = (paths: Paths): boolean | null => {
  const script = current(paths.mcpScript);
  return script === null ? null : script === mcpScript(paths.home, nodePath(), programFile());
};

/** Whether a file is such a script, of any home; null: there is no such file. */
export const isMcpScript = (file: string): boolean | null => current(file)?.includes(mark) ?? null;

const mark = "# Starts Drover's MCP server.";

/** Installs or updates the script atomically. */
export const installMcpScript = (paths: Paths, node = nodePath(), main = programFile()): void => {
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const script = mcpScript(paths.home, node, main);
  if (current(paths.mcpScript) === script) return;
  const temp = `${paths.mcpScript}.${process.pid}`;
  writeFileSync(temp, script, { mode: 0o600 });
  renameSync(temp, paths.mcpScript);
};

const mcpScript = (home: string, node: string, main: string): string => `#!/bin/sh
${mark} Written by Drover: by setup, and at each start of the daemon.
DROVER_HOME=${quote(home)}
export DROVER_HOME
exec ${quote(node)} ${quote(main)} mcp "$@"
`;

const current = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
