/** The MCP server against a daemon on loopback, with the SDK's own client. */
import { writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Right } from '../contract/rights.ts';
import type { NewToken } from '../contract/token.ts';
import type { Own } from '../mcp/own-session.ts';
import { createMcpServer } from '../mcp/server.ts';
import type { Paths } from '../paths.ts';
import { hookDraft } from './pipeline.ts';
import { openTestServer, type TestServer } from './server.ts';

/** The session that the server runs in, and another one; each in a pane. */
export const ownId = 'aaaaaaaa-0000-4000-8000-000000000001';
export const otherId = 'bbbbbbbb-0000-4000-8000-000000000001';

export interface McpTest extends TestServer {
  client: Client;
  /** Calls a tool; returns its structured output, or the text of its error. */
  use: (name: string, input?: object, onprogress?: (progress: Progress) => void) => Promise<unknown>;
}

export const openMcp = async (
  rights: Right[],
  own: () => Own | null = () => null,
  start: (paths: Paths) => Promise<void> = async () => {},
): Promise<McpTest> => {
  const server = await openTestServer();
  const { paths, port, askLocal, loop } = server;
  const name = 'drover-mcp';
  const { token } = (await askLocal('POST', '/tokens', JSON.stringify({ name, rights }))).json() as NewToken;
  writeFileSync(paths.daemon, JSON.stringify({ url: `http://127.0.0.1:${port}` }));
  writeFileSync(paths.mcp, JSON.stringify({ name, token, rights }));
  await loop.append(
    [ownId, otherId].map((session_id, n) => ({
      draft: hookDraft(
        'SessionStart',
        { session_id, cwd: `/w/p${n}`, source: 'startup' },
        paneOf(n),
        Date.now() - 60_000,
      ),
    })),
  );
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const mcp = createMcpServer({ paths, own, start: () => start(paths) });
  await Promise.all([mcp.connect(ours), client.connect(theirs)]);
  onTestFinished(() => client.close());
  // From then on the client checks each answer against the schema of its tool.
  await client.listTools();
  return {
    ...server,
    client,
    use: async (tool, input = {}, onprogress) => {
      const options = onprogress ? { onprogress } : {};
      const result = await client.callTool({ name: tool, arguments: { ...input } }, undefined, options);
      const [first] = result.content as { text: string }[];
      return result.isError ? first?.text : result.structuredContent;
    },
  };
};

export const paneOf = (n: number) => ({ socket: '/nowhere/s', serverPid: 1, pane: `%${n}` });
