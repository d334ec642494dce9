/**
 * The HTTP listeners: node:http on loopback and on the Unix socket, one dispatcher for both. Besides this file only `body`,
 * `authenticate`, `respond` and `connections` see a request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { DroverError } from '../contract/error.ts';
import { answerProofHeader } from '../contract/page-proof.ts';
import { limits } from '../limits.ts';
import { build } from '../version.ts';
import { authenticate, type Identified, localCaller, proofIn } from './authenticate.ts';
import { bodyFor, hasBody } from './body.ts';
import { boundConnections, type Connections } from './connections.ts';
import type { AccessRules } from './access-rules.ts';
import type { Dispatch } from './dispatch.ts';
import { respond, respondError } from './respond.ts';
import { type Match, routeOf } from './router.ts';

export interface App {
  /** Behind authentication. */
  tcp: Server;
  /** For the user's own commands. */
  local: Server;
  /** Answers calls from now on. Until then every call gets `starting`. */
  serve: (dispatch: Dispatch, rules: AccessRules) => void;
}

export interface AppOptions {
  onError: (message: string, error: unknown) => void;
  clock: Clock;
  /** The part of the log that has been read, 0 to 1, while the daemon starts. */
  progress: () => number;
  /** Called when the user's own command stops the daemon while it starts. */
  onStop: () => void;
}

/** Makes two servers over the same routes. */
export const createApp = ({ onError, clock, progress, onStop }: AppOptions): App => {
  let serving: { dispatch: Dispatch; rules: AccessRules } | null = null;
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    connections: Connections | null,
    awaitsContinue: boolean,
  ): Promise<void> => {
    response.setHeader('X-Drover-Version', build);
    try {
      const [path, query] = splitUrl(request.url ?? '/');
      if (!serving) return await whileStarting(request, response, path, connections === null);
      const { dispatch, rules } = serving;
      const { match, caller, proof } = identify(
        () => routeOf(request.method ?? 'GET', path),
        request,
        connections === null,
        rules,
      );
      if (proof !== null) response.setHeader(answerProofHeader, proof);
      const isAnonymous = caller.kind === 'anonymous';
      if (!isAnonymous) connections?.trust(request.socket);
      // A body that nobody reads would be read to its end, to keep the connection.
      else if (hasBody(request)) response.setHeader('Connection', 'close');
      const result = await dispatch({
        match,
        caller,
        query,
        headers: request.headers,
        body: () => {
          if (awaitsContinue) response.writeContinue();
          return bodyFor(match.route, request, isAnonymous, proof === null ? null : proofIn(request.headers));
        },
        onLeave: listener => void response.once('close', listener),
      });
      await respond(response, match.route.status ?? 200, result);
    } catch (error) {
      respondError(request, response, error, onError);
    }
  };
  const whileStarting = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    isLocal: boolean,
  ): Promise<void> => {
    if (isLocal && request.method === 'POST' && path === '/stop') {
      setImmediate(onStop);
      return respond(response, 200, { ok: true });
    }
    response.setHeader('Retry-After', 1);
    const percent = Math.floor(100 * progress());
    throw new DroverError('starting', `The daemon is reading its log: ${percent} %.`);
  };
  const listener = (isLocal: boolean): Server => {
    const server = createServer({
      requestTimeout: limits.http.bodyTimeout,
      headersTimeout: limits.http.headTimeout,
      connectionsCheckingInterval: limits.http.overdueCheck,
    });
    const connections = isLocal ? null : boundConnections(server, clock);
    const take =
      (awaitsContinue: boolean) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        // A client that sends again on the same connection would keep a closing server open.
        if (!server.listening) response.setHeader('Connection', 'close');
        void answer(request, response, connections, awaitsContinue);
      };
    server.on('request', take(false));
    // `Expect: 100-continue`: the body is asked for only once its sender may send it.
    server.on('checkContinue', take(true));
    server.keepAliveTimeout = 60_000;
    return server;
  };
  return {
    tcp: listener(false),
    local: listener(true),
    serve: (dispatch, rules) => {
      serving = { dispatch, rules };
    },
  };
};

const splitUrl = (url: string): [path: string, query: URLSearchParams] => {
  const cut = url.indexOf('?');
  return cut < 0
    ? [url, new URLSearchParams()]
    : [url.slice(0, cut), new URLSearchParams(url.slice(cut + 1))];
};

// The caller is checked before the route, so that an unauthenticated one cannot find out which routes exist.
const identify = (
  route: () => Match,
  request: IncomingMessage,
  local: boolean,
  rules: AccessRules,
): Identified & { match: Match } => {
  let match: Match | null = null;
  let problem: unknown;
  try {
    match = route();
  } catch (error) {
    problem = error;
  }
  const identified = local
    ? { caller: localCaller(request, rules), proof: null }
    : authenticate(request, match?.route.level, rules);
  if (!match) throw problem;
  return { match, ...identified };
};
