/** The door: node:http on loopback and on the Unix socket, one dispatcher for both. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Caller } from '../contract/caller.ts';
import type { RouteId } from '../contract/routes.ts';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Action, Audit } from '../live/audit.ts';
import { version } from '../version.ts';
import { limitBody } from './body.ts';
import { boundConnections, type Connections } from './connections.ts';
import { authenticate, authorize, type Gate, localCaller, refuseInside } from './guard.ts';
import { type Match, routeOf } from './router.ts';

export interface Request extends Match {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  caller: Caller;
  /** What a handler adds to the record of its action. */
  action: ActionNotes;
}

/** What only the handler knows of an action. */
export type ActionNotes = Pick<Partial<Action>, 'caller' | 'session' | 'requestId' | 'text'>;

/** Answers a request itself, or returns what is sent as JSON. */
export type Handler = (request: Request) => unknown;
export type Handlers = Record<RouteId, Handler>;

export interface App {
  tcp: Server;
  local: Server;
}

/** Records what was done, or refused. */
export type Recorder = Pick<Audit, 'record' | 'now'>;

/** Two servers over the same handlers: `tcp` behind the guard, `local` for the user's own CLI. */
export const createApp = (
  handlers: Handlers,
  gate: Gate,
  audit: Recorder,
  onError: (message: string, error: unknown) => void,
): App => {
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    connections: Connections | null,
    awaitsContinue: boolean,
  ): Promise<void> => {
    response.setHeader('X-Drover-Version', version);
    try {
      const url = request.url ?? '/';
      const cut = url.indexOf('?');
      const path = cut < 0 ? url : url.slice(0, cut);
      const { match, caller } = identify(
        () => routeOf(request.method ?? 'GET', path),
        request,
        connections === null,
        gate,
      );
      if (caller.kind === 'anonymous') {
        limitBody(request);
        // A body that no handler reads would be read to its end, to keep the connection.
        if (hasBody(request)) response.setHeader('Connection', 'close');
      } else connections?.trust(request.socket);
      const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
      const action: ActionNotes = {};
      const result = await recorded(audit, match, caller, action, () => {
        const { level, inside } = match.route;
        authorize(caller, level);
        if (inside !== undefined) refuseInside(caller, inside, match.id, gate.inside);
        if (awaitsContinue) response.writeContinue();
        return handlers[match.route.id]({ ...match, request, response, query, caller, action });
      });
      if (result !== undefined) sendJson(response, match.route.status ?? 200, result);
    } catch (error) {
      refuse(request, response, error, onError);
    }
  };
  const serve = (isLocal: boolean): Server => {
    const server = createServer({
      requestTimeout: limits.http.bodyTimeout,
      headersTimeout: limits.http.headTimeout,
      connectionsCheckingInterval: limits.http.overdueCheck,
    });
    const connections = isLocal ? null : boundConnections(server);
    const take =
      (awaitsContinue: boolean) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        // Who asks a closing door again on the same connection would hold it open.
        if (!server.listening) response.setHeader('Connection', 'close');
        void answer(request, response, connections, awaitsContinue);
      };
    server.on('request', take(false));
    // `Expect: 100-continue`: the body is asked for only once its sender may send it.
    server.on('checkContinue', take(true));
    server.keepAliveTimeout = 60_000;
    return server;
  };
  return { tcp: serve(false), local: serve(true) };
};

/** Runs a handler. Where the route table names an action, what became of it is recorded before it is answered. */
const recorded = async (
  audit: Recorder,
  { route, id }: Match,
  caller: Caller,
  notes: ActionNotes,
  run: () => unknown,
): Promise<unknown> => {
  if (route.audit === undefined) return run();
  const at = audit.now();
  const record = async (error?: unknown): Promise<void> => {
    const by = notes.caller ?? caller;
    // Anybody can knock without a token: that must not fill the log.
    if (by.kind === 'anonymous') return;
    const session = route.pattern === undefined ? id : null;
    await audit.record({ session, ...notes, action: route.audit as string, caller: by, at, error });
  };
  try {
    const result = await run();
    await record();
    return result;
  } catch (error) {
    await record(error);
    throw error;
  }
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

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const refuse = (
  request: IncomingMessage,
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
  if (!request.complete && hasBody(request)) refuseEarly(request, response, known);
  else sendJson(response, known.status, known.toJSON());
};

/**
 * Answers before the body is there, and closes the connection. What still arrives is thrown away for a moment: a connection
 * that is closed with unread bytes is reset, and the client would lose the answer.
 */
const refuseEarly = (request: IncomingMessage, response: ServerResponse, error: DroverError): void => {
  const text = JSON.stringify(error.toJSON());
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  response.write(text);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, limits.http.rejectedBodyDrain);
  request.removeAllListeners('data');
  request.once('end', end);
  request.once('close', end);
  request.resume();
};
