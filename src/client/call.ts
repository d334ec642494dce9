/** Calls to the daemon. With node:http, because `fetch` alone would double the start time of a command. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { DroverError, type ErrorCode, errors } from '../contract/error.ts';
import type { RouteId } from '../contract/routes.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { noteOtherBuild } from './other-build.ts';
import { findDaemon, type Where } from './find.ts';
import { type AnswerOf, type AnyInput, type CallArguments, targetOf } from './route-call.ts';

/** A daemon of this machine by its home, or any daemon by its address, which may change when it is started again. */
export type Reach = Paths | Where | (() => Where);

export interface CallOptions {
  /** How long to wait for the answer, ms. */
  timeout?: number | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Says nothing when the daemon is another build. */
  isAnyBuild?: boolean;
}

/** Calls a route and returns its parsed answer; throws the error that the daemon answered. */
export const call = <Id extends RouteId>(
  paths: Reach,
  route: Id,
  ...[input]: CallArguments<Id, CallOptions>
): Promise<AnswerOf<Id>> => {
  const given = (input ?? {}) as AnyInput & CallOptions;
  const { method, path } = targetOf(route, given);
  return callPath(paths, method, path, given.body, given);
};

/** Calls any path, for a route that is known by its text alone. */
export const callPath = async <T>(
  paths: Reach,
  method: string,
  path: string,
  body?: unknown,
  { timeout = limits.daemon.answerTimeout, headers = {}, signal, isAnyBuild = false }: CallOptions = {},
): Promise<T> => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await open(paths, method, path, text, headers, timeout, signal, isAnyBuild);
  const answer = await textOf(response).catch(error => {
    throw reachError(error);
  });
  if ((response.statusCode ?? 500) >= 400) throw errorOf(answer);
  return JSON.parse(answer) as T;
};

/** Sends a request and returns the response before its body. */
export const open = async (
  paths: Reach,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  timeout = 0,
  signal?: AbortSignal,
  isAnyBuild = false,
): Promise<IncomingMessage> => {
  const reach = typeof paths === 'function' ? paths() : paths;
  const { secure, ...where } = 'headers' in reach ? reach : findDaemon(reach);
  const options = {
    ...where,
    setHost: false,
    ...(signal && { signal }),
    method,
    path,
    headers: {
      ...where.headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  };
  // Without `servername` node checks whether the host is an IPv6 address; compiling that pattern takes 4 ms.
  const spared = { ...options, servername: '' };
  const outgoing = secure ? (await import('node:https')).request(options) : request(spared);
  const response = await answerTo(outgoing, body, timeout);
  const theirs = response.headers['x-drover-version'];
  if (typeof theirs === 'string' && !isAnyBuild) noteOtherBuild(theirs);
  return response;
};

const answerTo = (
  outgoing: ClientRequest,
  body: string | undefined,
  timeout: number,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', resolve);
    if (timeout > 0)
      outgoing.setTimeout(timeout, () =>
        outgoing.destroy(
          new DroverError('failed', 'The daemon does not answer.', 'Restart it with `drover restart`.'),
        ),
      );
    outgoing.on('error', error => reject(reachError(error)));
    outgoing.end(body);
  });

/** Turns a broken connection into `daemon_down`, also one that broke in the middle of the answer. */
const reachError = (error: unknown): unknown =>
  ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? new DroverError('daemon_down')
    : error;

export const textOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** The error in an answer of the daemon. */
export const errorOf = (text: string): DroverError => {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; hint: string } };
    if (error.code in errors) return new DroverError(error.code as ErrorCode, error.message, error.hint);
    return new DroverError('failed', error.message, error.hint);
  } catch {
    return new DroverError('failed', `The daemon answered ${JSON.stringify(text.slice(0, 200))}.`);
  }
};
