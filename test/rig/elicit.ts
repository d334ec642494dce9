/** Arguments for a CLI with an MCP server whose tool `ask` asks the user something. */
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('./elicit.mjs', import.meta.url));

/** `name` is that of the server. With `isAllowed` the tool needs no permission. `listed` is a file that it makes when the CLI has its tools. */
export const elicitationArgs = (name: string, isAllowed = false, listed?: string): string[] => [
  '--mcp-config',
  JSON.stringify({
    mcpServers: {
      [name]: { type: 'stdio', command: process.execPath, args: [server, ...(listed ? [listed] : [])] },
    },
  }),
  '--strict-mcp-config',
  ...(isAllowed ? ['--allowedTools', `mcp__${name}__ask`] : []),
];
