/** Calls from other hosts: the same routes and checks as over HTTP, limited to what a host may call at all. */
import type { Caller } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { rights } from '../../contract/rights.ts';
import { type Route, type RouteId, routes } from '../../contract/routes.ts';
import type { AnswerContent, Command } from '../../fleet/command/command.ts';
import { checkedBody } from '../body.ts';
import type { Headers } from '../call.ts';
import type { Dispatch } from '../dispatch.ts';
import { EventStream, Reply } from '../reply.ts';
import { checkedId, type Match } from '../router.ts';

export type HostDispatch = (command: Command, caller: Caller) => Promise<AnswerContent>;

/** Executes calls from other hosts; never throws. The handlers are those of this machine's own sessions. */
export const hostCalls =
  (dispatch: Dispatch, onError: (message: string, error: unknown) => void): HostDispatch =>
  async (command, caller) => {
    try {
      const match = matchOf(command);
      const result = await dispatch({
        match,
        caller,
        query: new URLSearchParams({ ...command.query, ...(match.route.query?.scope && { scope: 'local' }) }),
        headers: headersOf(command),
        body: () => bodyOf(match.route, command.body),
        onLeave: () => {},
      });
      return contentOf(match.route, result);
    } catch (error) {
      const known = error instanceof DroverError ? error : new DroverError('internal');
      if (known !== error) onError('A call of another host failed', error);
      return { status: known.status, json: known.toJSON() };
    }
  };

/** The only header that means anything from another host. */
const headersOf = ({ headers }: Command): Headers => ({ 'idempotency-key': headers['idempotency-key'] });

const matchOf = ({ route: id, params }: Command): Match => {
  const route = table.get(id);
  if (!route)
    throw new DroverError('host_too_old', `This host does not know the request \`${id.slice(0, 60)}\`.`);
  if (!isForHosts(route))
    throw new DroverError('forbidden', `Other hosts may not call \`${route.id}\`.`, 'Run it on this host.');
  const request = params.request ?? '';
  return { route, id: route.path.includes(':id') ? checkedId(params.id, route.pattern) : '', request };
};

/** Whether other hosts may call it: the table marks it `remote`, and it takes a right that can be given to a host. */
export const isForHosts = ({ remote, level, answer, body }: Route): boolean =>
  (remote === 'session' || remote === 'host') &&
  (rights as readonly string[]).includes(level) &&
  answer !== 'stream' &&
  body !== 'event';

const table = new Map<string, Route & { id: RouteId }>(
  (routes as readonly (Route & { id: RouteId })[]).map(route => [route.id, route]),
);

const bodyOf = ({ body: schema }: Route, given: unknown): unknown => {
  if (schema === undefined || schema === 'event') return undefined;
  if (given !== null && (typeof given !== 'object' || Array.isArray(given)))
    throw new DroverError('bad_json');
  return checkedBody(schema, given ?? {});
};

const contentOf = ({ status = 200 }: Route, result: unknown): AnswerContent => {
  if (result instanceof EventStream)
    throw new DroverError('refused', 'A stream cannot be read through the fleet.');
  if (!(result instanceof Reply)) return { status, json: result };
  const { parts } = result;
  const { headers } = parts;
  return {
    status: parts.status ?? status,
    ...(parts.json !== undefined && { json: parts.json }),
    ...(parts.bytes !== undefined && { bytes: Buffer.from(parts.bytes).toString('base64') }),
    ...(headers && { headers }),
  };
};
