/**
 * Forwards calls for sessions of other hosts. This machine has checked them; the session's host checks them again and executes
 * them.
 */
import { DroverError } from '../../contract/error.ts';
import { insideError } from '../../contract/inside.ts';
import { idFrom } from '../../contract/origin.ts';
import { type Route, type RouteId, routes } from '../../contract/routes.ts';
import type { Session } from '../../contract/session.ts';
import type { RemoteCall } from '../../fleet/command/send-command.ts';
import type { Peer, Peers } from '../../fleet/peers.ts';
import { limits } from '../../limits.ts';
import { sha256 } from '../../sha256.ts';
import * as z from 'zod';
import type { InsideRules } from '../authorize.ts';
import { type Call, type Handlers, headerOf } from '../call.ts';
import { isSessionId } from '../router.ts';
import { fromHost } from './from-host.ts';
import { targetOf } from './target.ts';

export interface ForwardDeps {
  /** Null: this machine is not in a fleet, or is a worker. */
  peers: () => Peers | null;
  /** The sessions of this machine that an id names. */
  here: (id: string) => Pick<Session, 'origin'>[];
  inside: Pick<InsideRules, 'isAllowed'>;
}

type AnyHandler = (call: Call) => unknown;

/** Wraps the handlers: those of routes that name a session forward calls to the session's host. */
export const forwarding = (handlers: Handlers, deps: ForwardDeps): Handlers => {
  const wrapped = (routes as readonly (Route & { id: RouteId })[]).map(route => {
    const handle = handlers[route.id] as AnyHandler;
    return [route.id, namesSession(route) ? forwarded(route, handle, deps) : handle] as const;
  });
  return Object.fromEntries(wrapped) as unknown as Handlers;
};

/** Whether a call of this route is about one session or one host. */
export const namesSession = ({ path, names, remote, query }: Route): boolean =>
  (path.includes(':id') && names === undefined) || remote === 'session' || query?.host !== undefined;

const forwarded =
  (route: Route & { id: RouteId }, handle: AnyHandler, deps: ForwardDeps): AnyHandler =>
  async call => {
    // Calls of other hosts are for sessions of this one.
    if (call.caller.kind === 'host') return handle(call);
    const found = await findTarget(route, call, deps);
    if (!found) return handle(call);
    const { peer, id } = found;
    if (peer.isHere) return handle(withId(route, call, id));
    if (route.remote !== 'session')
      throw new DroverError(
        'refused',
        `This works only on the host of the session, ${peer.name}.`,
        `Run the command there, or go there with \`drover go ${namedIdOf(route, call) ?? ''}\`.`,
      );
    // This machine does not know which session started one on another host.
    if (route.inside === 'agents' && call.caller.session !== null && !deps.inside.isAllowed)
      throw insideError(call.caller.session, false);
    noteTarget(call, id, peer);
    const peers = deps.peers() as Peers;
    const { json } = await peers.send(peer.host, remoteCall(route, withId(route, call, id)));
    return answerFrom(route, json, peer);
  };

/** The host and session that the call is for; null: it names no other host. */
const findTarget = async (
  route: Route,
  call: Call,
  { peers: peersNow, here }: ForwardDeps,
): Promise<{ peer: Peer; id: string } | null> => {
  const peers = peersNow();
  const host = route.query?.host === undefined ? null : call.query.get('host');
  if (host !== null) {
    const peer = peers?.host(host) ?? null;
    if (!peer) throw new DroverError('no_host', `There is no host ${JSON.stringify(host.slice(0, 80))}.`);
    return { peer, id: call.params.id };
  }
  const id = namedIdOf(route, call);
  return peers && id !== null && isSessionId(id) ? targetOf(peers, id, here) : null;
};

/** The id of the session that the call names, in its path or in its query; null when it names none. */
const namedIdOf = ({ path, names }: Route, { params, query }: Call): string | null =>
  path.includes(':id') ? (names === undefined ? params.id : null) : query.get('session');

const withId = ({ path }: Route, call: Call, id: string): Call => {
  const query = new URLSearchParams(call.query);
  query.delete('host');
  if (!path.includes(':id') && query.has('session')) query.set('session', id);
  return { ...call, query, params: path.includes(':id') ? { ...call.params, id } : call.params };
};

/** The audit here records where it was done; the audit there, what was done. */
const noteTarget = ({ action, body }: Call, id: string, { name }: Peer): void => {
  const { session_id: created } = (body ?? {}) as { session_id?: string };
  action.text = `on ${id === '' && created === undefined ? name : idFrom(id || (created ?? ''), name)}`;
};

const remoteCall = (route: Route, { params, query, headers, body, caller }: Call): RemoteCall => {
  const key = headerOf(headers, 'idempotency-key');
  const isAction = route.method !== 'GET';
  return {
    route: route.id,
    params: {
      id: params.id,
      ...(params.request !== undefined && params.request !== '' && { request: params.request }),
    },
    query: Object.fromEntries(query),
    headers: key === null ? {} : { 'idempotency-key': key },
    body: body ?? null,
    caller,
    key: key === null || !isAction ? undefined : sha256(JSON.stringify([route.id, params.id, key])),
    answerMs: limits.fleet.commandAnswer + waitOf(route, query, body),
  };
};

/** How much longer the call may wait at its host, ms. */
const waitOf = ({ id }: Route, query: URLSearchParams, body: unknown): number => {
  if (id === 'createSession') return query.get('wait') === 'ready' ? limits.start.ready : 0;
  if (id === 'answerSession' || id === 'askSession') return limits.menu.keysTimeout;
  const { wait, timeout } = (body ?? {}) as { wait?: unknown; timeout?: unknown };
  return wait && typeof timeout === 'number' ? timeout * 1_000 : 0;
};

/** The host's answer, checked by the schema of its route and translated for this machine. */
const answerFrom = (route: Route & { id: RouteId }, json: unknown, peer: Peer): unknown => {
  const schema = route.answer;
  const parsed = schema instanceof z.ZodType ? schema.safeParse(json) : null;
  if (!parsed?.success)
    throw new DroverError(
      'failed',
      `${peer.name} answered in a form that this version does not know. It may have done what you asked.`,
      'Update drover here.',
    );
  const translate = fromHost[route.id as keyof typeof fromHost] as (answer: unknown, from: Peer) => unknown;
  return translate(json, peer);
};
