/** The check of the MCP server in `drover doctor`; none where nobody registered it. */
import { mcpEntry, mcpEntryFile } from '../../hook/install/mcp-entry.ts';
import { enabledPlugins } from '../../hook/install/registered.ts';
import { readGrant } from '../../mcp/daemon.ts';
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';

export const mcpChecks = ({ env, cwd, paths }: Call): Check[] => {
  const entry = mcpEntry(env, paths);
  const plugins = enabledPlugins(env, cwd).map(id => `plugin ${id}`);
  const isEntry = entry === 'own' || entry === 'old';
  const grant = readGrant(paths);
  // Someone with the plugin and without a token uses only its hooks.
  if (!isEntry && grant === null) return [];
  const places = [...(isEntry ? [mcpEntryFile(env)] : []), ...plugins];
  const rights = grant ? `may ${grant.rights.join(', ')}` : 'has no token';
  const old = entry === 'old' ? ', for another DROVER_HOME' : '';
  return [
    {
      name: 'mcp',
      ok: grant !== null && places.length > 0 && entry !== 'old',
      says: `${places.join(' and ') || 'not registered'}${old}; ${rights}`,
      fix: 'run `drover setup --mcp`',
    },
  ];
};
