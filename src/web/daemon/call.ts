/** Calls of the page to the daemon. */
import type { RouteId } from '../../contract/routes.ts';
import { type AnswerOf, type AnyInput, type CallArguments, targetOf } from '../../client/route-call.ts';
import { sendProved } from './channel.ts';
import { errorIn } from './daemon-error.ts';

/** Calls a route and returns its parsed answer; throws the error that the daemon answered. */
export const call = async <Id extends RouteId>(
  route: Id,
  ...[input]: CallArguments<Id, { signal?: AbortSignal }>
): Promise<AnswerOf<Id>> => {
  const given = (input ?? {}) as AnyInput & { signal?: AbortSignal };
  const { method, path } = targetOf(route, given);
  const response = await open(method, path, given.body, given.signal);
  const text = await response.text();
  if (!response.ok) throw errorIn(text);
  return JSON.parse(text) as AnswerOf<Id>;
};

/** Sends a request and returns the response before its body. */
export const open = (
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> =>
  sendProved(path, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  });
