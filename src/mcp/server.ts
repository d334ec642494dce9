/** The MCP server: tools and resources over the route table. It decides nothing itself; the daemon does. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode as McpErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { DroverError, type ErrorCode } from '../contract/error.ts';
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
  /** Starts the daemon when it is not running, if the user allows it. */
  start?: () => Promise<void>;
  /** Offers nothing, because the same tools are registered a second time. */
  isSilent?: boolean;
}

const instructions = `Drover knows every Claude Code session of this user: what it does, what it asks, what it answered.
Use it to see which sessions wait, to read what another session did, and to hand work to another session and wait for its answer.
Never answer a permission request unless the user told you the answer. You cannot act on the session that you run in.`;

export const createMcpServer = ({
  paths,
  own,
  start = async () => {},
  isSilent = false,
}: McpDeps): Server => {
  const info = { name: 'drover', title: 'Drover', version };
  if (isSilent) return new Server(info, { capabilities: {} });
  const server = new Server(info, { capabilities: { tools: {}, resources: {} }, instructions });
  const daemon = openDaemon(paths, own);
  // Without a token the tools that read are listed, so that their error can say what to do.
  const rights = (): Right[] => readGrant(paths)?.rights ?? ['read'];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(rights()).map(describe) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const found = tools.find(({ name }) => name === params.name);
    if (!found) throw protocolError(McpErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const progress = progressOf(extra);
    const deps = { daemon, own, progress, signal: extra.signal };
    return callTool(found, params.arguments ?? {}, rights(), deps, start);
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    asMcpError(async () => {
      await start();
      return { resources: await listResources(daemon) };
    }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    asMcpError(async () => {
      await start();
      return readResource(params.uri, daemon, own(), signal);
    }),
  );
  return server;
};

/** Runs a tool. Its result has exactly the fields of its schema; an error is a result that the model can read. */
const callTool = async (
  found: Tool,
  given: object,
  rights: readonly Right[],
  deps: ToolDeps,
  start: () => Promise<void>,
): Promise<CallToolResult> => {
  try {
    if (!rights.includes(found.right)) throw missingRight(found);
    if (found.right !== 'read') refuseUnidentified(deps.own());
    const input = found.input.safeParse(given);
    if (!input.success) throw new DroverError('bad_request', z.prettifyError(input.error));
    await start();
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

/** A model knows the schemas of its tools; of routes, headers and tokens behind them it knows nothing. */
const errorText = (error: unknown): string => {
  if (!(error instanceof DroverError)) return String((error as Error).message);
  const { message = error.message, hint = error.hint } = textsForModels[error.code] ?? {};
  return `${message}\n${hint}`;
};

const schemaHint = { hint: 'The schema of the tool describes its input.' };

const textsForModels: Partial<Record<ErrorCode, { message?: string; hint: string }>> = {
  bad_request: schemaHint,
  bad_id: schemaHint,
  no_session: { hint: '`list_sessions` lists the live ones; with `past` it lists ended ones too.' },
  no_message: { hint: '`send_message` returns the id of a message. Receipts are kept for 30 days.' },
  // The usual hint names the token of the user, which may do everything.
  unauthorized: {
    message: 'This MCP server has no valid token.',
    hint: 'Ask the user to run `drover setup --mcp` in a terminal of their own.',
  },
};

const asMcpError = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    const isMissing = error instanceof DroverError && ['not_found', 'no_session'].includes(error.code);
    throw protocolError(isMissing ? resourceNotFound : McpErrorCode.InternalError, errorText(error));
  }
};

/** Not McpError of the SDK: it puts the code into its text, and so does the one that the client makes of it. */
const protocolError = (code: number, text: string): Error => Object.assign(new Error(text), { code });

/** The code of the protocol for a resource that does not exist. The SDK does not name it. */
const resourceNotFound = -32_002;

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
