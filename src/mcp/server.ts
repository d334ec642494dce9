/** The MCP server: tools and resources over the route table. It decides nothing itself; the daemon does. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { DroverError } from '../contract/error.ts';
import type { Right } from '../contract/rights.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { version } from '../version.ts';
import { openDaemon, readGrant } from './daemon.ts';
import { type Own, refuseUnidentified } from './own-session.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { Tool, ToolDeps } from './tool.ts';
import { describe, missingRight, tools, toolsFor } from './tools.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface McpDeps {
  paths: Paths;
  /** Returns the session that this server runs in; null outside of one. */
  own: () => Own | null;
  /** Offers nothing, because the same tools are registered a second time. */
  isSilent?: boolean;
}

const instructions = `Drover knows every Claude Code session of this user: what it does, what it asks, what it answered.
Use it to see which sessions wait, to read what another session did, and to hand work to another session and wait for its answer.
Never answer a permission request unless the user told you the answer. You cannot act on the session that you run in.`;

export const createMcpServer = ({ paths, own, isSilent = false }: McpDeps): Server => {
  const info = { name: 'drover', title: 'Drover', version };
  if (isSilent) return new Server(info, { capabilities: {} });
  const server = new Server(info, { capabilities: { tools: {}, resources: {} }, instructions });
  const daemon = openDaemon(paths, own);
  // Without a token the tools that read are listed, so that their error can say what to do.
  const rights = (): Right[] => readGrant(paths)?.rights ?? ['read'];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(rights()).map(describe) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const found = tools.find(({ name }) => name === params.name);
    if (!found) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const progress = progressOf(extra);
    return callTool(found, params.arguments ?? {}, rights(), { daemon, own, progress, signal: extra.signal });
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    asMcpError(async () => ({ resources: await listResources(daemon) })),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    asMcpError(() => readResource(params.uri, daemon, own(), signal)),
  );
  return server;
};

/** Runs a tool. Its result has exactly the fields of its schema; an error is a result that the model can read. */
const callTool = async (
  found: Tool,
  given: object,
  rights: readonly Right[],
  deps: ToolDeps,
): Promise<CallToolResult> => {
  try {
    if (!rights.includes(found.right)) throw missingRight(found);
    if (found.right !== 'read') refuseUnidentified(deps.own());
    const input = found.input.safeParse(given);
    if (!input.success) throw new DroverError('bad_request', z.prettifyError(input.error));
    const result = found.output.parse(await found.run(input.data as never, deps));
    const text = JSON.stringify(result);
    if (text.length > limits.mcp.resultText)
      throw new DroverError(
        'failed',
        `The result has ${text.length} characters, which is too much to return.`,
        'Ask for less: a smaller limit, a narrower search, no diffs.',
      );
    return { content: [{ type: 'text', text }], structuredContent: result };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: errorText(error) }] };
  }
};

/** A model knows the schemas of its tools; of the routes behind them it knows nothing. */
const errorText = (error: unknown): string =>
  error instanceof DroverError
    ? `${error.message}\n${['bad_request', 'bad_id'].includes(error.code) ? 'The schema of the tool describes its input.' : error.hint}`
    : String((error as Error).message);

const asMcpError = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw new McpError(ErrorCode.InternalError, errorText(error));
  }
};

/** Sends progress to a client that asked for it. Each report counts on, as the protocol demands. */
const progressOf = ({ _meta, sendNotification }: Extra): ToolDeps['progress'] => {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  return (seconds, total, message) => {
    last = Math.max(seconds, last + 0.001);
    const params = { progressToken, progress: last, total: Math.max(total, last), message };
    void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
};
