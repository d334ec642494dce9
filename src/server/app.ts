/** The door: node:http on loopback and on the Unix socket, one dispatcher for both. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Caller } from '../contract/caller.ts';
import type { RouteId } from '../contract/routes.ts';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import { version } from '../version.ts';
import { authenticate, authorize, type Gate, localCaller } from './guard.ts';
import { type Match, routeOf } from './router.ts';

export interface Request extends Match {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  caller: Caller;
}

/** Answers a request itself, or returns what is sent as JSON. */
export type Handler = (request: Request) => unknown;
export type Handlers = Record<RouteId, Handler>;

export interface App {
  tcp: Server;
  local: Server;
}

/** Two servers over the same handlers: `tcp` behind the guard, `local` for the user's own CLI. */
export const createApp = (
  handlers: Handlers,
  gate: Gate,
  onError: (message: string, error: unknown) => void,
): App => {
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    local: boolean,
  ): Promise<void> => {
    response.setHeader('X-Drover-Version', version);
    try {
      const url = request.url ?? '/';
      const cut = url.indexOf('?');
      const path = cut < 0 ? url : url.slice(0, cut);
      const { match, caller } = identify(() => routeOf(request.method ?? 'GET', path), request, local, gate);
      authorize(caller, match.route.level);
      const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
      const result = await handlers[match.route.id]({ ...match, request, response, query, caller });
      if (result !== undefined) sendJson(response, match.route.status ?? 200, result);
    } catch (error) {
      refuse(response, error, onError);
    }
  };
  const serve = (local: boolean): Server => {
    const server = createServer({ requestTimeout: limits.bodyTime }, (request, response) => {
      // Who asks a closing door again on the same connection would hold it open.
      if (!server.listening) response.setHeader('Connection', 'close');
      void answer(request, response, local);
    });
    server.keepAliveTimeout = 60_000;
    return server;
  };
  return { tcp: serve(false), local: serve(true) };
};

// The caller is checked before the route, so that a stranger learns nothing about what exists.
const identify = (
  route: () => Match,
  request: IncomingMessage,
  local: boolean,
  gate: Gate,
): { match: Match; caller: Caller } => {
  let match: Match | null = null;
  let problem: unknown;
  try {
    match = route();
  } catch (error) {
    problem = error;
  }
  const caller = local ? localCaller(request) : authenticate(request, match?.route.level === 'open', gate);
  if (!match) throw problem;
  return { match, caller };
};

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
};

const refuse = (
  response: ServerResponse,
  error: unknown,
  onError: (message: string, error: unknown) => void,
): void => {
  const known = error instanceof DroverError ? error : new DroverError('internal');
  if (known !== error) onError('a request failed', error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (known.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  // The rest of an oversize body is not read: the connection goes with it.
  if (known.code === 'too_large') response.setHeader('Connection', 'close');
  sendJson(response, known.status, known.toJSON());
};
