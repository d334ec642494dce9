/** The check of the MCP server in `drover doctor`; none where nobody registered it. */
import { mcpEntry, mcpEntryFile } from '../../hook/install/mcp-entry.ts';
import { enabledPlugins } from '../../hook/install/registered.ts';
import { isMcpScriptCurrent } from '../../hook/mcp-script.ts';
import { type McpGrant, readGrant } from '../../mcp/daemon.ts';
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';
import { isValidGrant } from './mcp-token.ts';

export const mcpChecks = ({ env, cwd, paths }: Call): Check[] => {
  const entry = mcpEntry(env, paths);
  const plugins = enabledPlugins(env, cwd).map(id => `plugin ${id}`);
  const isEntry = entry === 'own' || entry === 'old';
  const grant = readGrant(paths);
  // Someone with the plugin and without a token uses only its hooks.
  if (!isEntry && grant === null) return [];
  const places = [...(isEntry ? [mcpEntryFile(env)] : []), ...plugins];
  const old = entry === 'old' ? ', for another DROVER_HOME' : '';
  const isValid = grant !== null && isValidGrant(paths, grant);
  const hasScript = isMcpScriptCurrent(paths) !== null;
  return [
    {
      name: 'mcp',
      ok: isValid && hasScript && places.length > 0 && entry !== 'old',
      says: `${places.join(' and ') || 'not registered'}${old}; ${tokenText(grant, isValid)}${hasScript ? '' : `; ${paths.mcpScript} does not exist`}`,
      fix: `run \`drover setup --mcp${flagsFor(grant)}\``,
    },
  ];
};

const tokenText = (grant: McpGrant | null, isValid: boolean): string => {
  if (grant === null) return 'has no token';
  return isValid ? `may ${grant.rights.join(', ')}` : 'its token was removed or replaced';
};

/** The flags that keep the rights. */
const flagsFor = (grant: McpGrant | null): string =>
  (['drive', 'answer'] as const).map(right => (grant?.rights.includes(right) ? ` --${right}` : '')).join('');
