/** `drover mcp`: an MCP server on standard input and output. The only command that loads the SDK. */
import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { isRegistered } from '../../hook/install/mcp-entry.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { ownSession } from '../../mcp/own-session.ts';
import { startIfAllowed } from '../start-if-allowed.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths } = call;
  const isSilent = flag(call, 'plugin') && isRegistered(env);
  // A client waits for the server, not for the daemon.
  if (!isSilent) void start(call).catch((error: Error) => call.err(error.message));
  const server = createMcpServer({
    paths,
    own: () => ownSession(env, paths),
    start: () => start(call),
    isSilent,
  });
  const ended = Promise.race([once(process.stdin, 'close'), closedBySdk(server, call)]);
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  process.exit(0);
};

let starting: Promise<void> | undefined;

/** Starts the daemon once for all calls that come at the same time. */
const start = (call: Call): Promise<void> =>
  (starting ??= startIfAllowed(call).finally(() => {
    starting = undefined;
  }));

/** Resolves when the SDK closes the connection itself, as it does when a message is too long. */
const closedBySdk = (server: Server, { err }: Call): Promise<void> =>
  new Promise(resolve => {
    Object.assign(server, { onclose: resolve, onerror: (error: Error) => err(error.message) });
  });
