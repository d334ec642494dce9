/** Finds the row of the route table for a method and a path. */
import { type Route, type RouteId, routes } from '../contract/routes.ts';
import { DroverError } from '../contract/error.ts';

export interface Match {
  route: Route & { id: RouteId };
  /** The value of `:id` in the path. */
  id: string;
  /** The value of `:request` in the path. */
  request: string;
}

const patterns = (routes as readonly (Route & { id: RouteId })[]).map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/:(id|request)/g, '(?<$1>[^/]+)')}$`),
}));

/** Returns the route of a request; throws `not_found`, `method`, or `bad_id`. */
export const routeOf = (method: string, path: string): Match => {
  const found = patterns.flatMap(({ route, pattern }) => {
    const match = pattern.exec(path);
    const { id = '', request = '' } = match?.groups ?? {};
    return match ? [{ route, id, request }] : [];
  });
  if (found.length === 0) throw new DroverError('not_found', `There is no route ${path}.`);
  const match = found.find(({ route }) => route.method === method);
  if (!match) throw new DroverError('method', `${path} does not support ${method}.`);
  return { ...match, id: match.id === '' ? '' : checkedId(match.id, match.route.pattern) };
};

/** Checks an id from outside before it is looked up, shown and logged. */
export const checkedId = (given: string, pattern = sessionId): string => {
  // Clients that encode a path send the `@` before an origin as %40.
  const id = given.replaceAll('%40', '@');
  if (pattern.test(id)) return id;
  const shown = JSON.stringify(given.slice(0, 60));
  throw pattern === sessionId
    ? new DroverError('bad_id', `${shown} is not a session id.`)
    : new DroverError(
        'bad_id',
        `${shown} is not a name.`,
        'Use letters, digits, dots, dashes and underscores.',
      );
};

/** Whether a text can be the id of a session, or the beginning of one. */
export const isSessionId = (text: string): boolean => sessionId.test(text);

/** Claude's id or a prefix of it, with an optional origin. */
const sessionId = /^[A-Za-z0-9_-]{6,128}(@[A-Za-z0-9._-]{1,64}){0,2}$/;
