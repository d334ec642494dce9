/** The script that starts the MCP server: missing, or from another version. Only where Claude Code runs it. */
import { mcpEntry } from '../../hook/install/mcp-entry.ts';
import { installMcpScript, isMcpScriptCurrent } from '../../hook/mcp-script.ts';
import { readGrant } from '../../mcp/daemon.ts';
import type { Call } from '../verb.ts';
import type { Repair } from './repair.ts';

export const mcpScriptRepairs = ({ env, paths }: Pick<Call, 'env' | 'paths'>): Repair[] => {
  if (mcpEntry(env, paths) !== 'own' && readGrant(paths) === null) return [];
  const isCurrent = isMcpScriptCurrent(paths);
  if (isCurrent) return [];
  return [
    {
      name: 'mcp script',
      says: `the script that starts the MCP server is ${isCurrent === null ? 'missing' : 'outdated'}`,
      changes: [`write ${paths.mcpScript}`],
      run: () => installMcpScript(paths),
    },
  ];
};
