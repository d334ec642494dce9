/** Generates openapi.json from the route table. */
import { errors } from '../contract/error.ts';
import { type Level, rightsHelp } from '../contract/rights.ts';
import { errorsOf, type Route, routes } from '../contract/routes.ts';
import { version } from '../version.ts';
import { answerSchema, bodySchemaOf, schemas } from './schemas.ts';

export const openapi = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Drover',
    version,
    description: 'The control plane for the Claude Code sessions of one person.',
  },
  servers: [{ url: 'http://127.0.0.1:4000' }],
  paths: paths(),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The content of DROVER_HOME/token, or a named token with the right that the route requires.',
      },
      page: {
        type: 'apiKey',
        in: 'cookie',
        name: 'drover-4000',
        description:
          'A browser that `drover open` signed in. Its page proves each request in X-Drover-Page: a MAC under a key that is never sent.',
      },
    },
    schemas: { Error: errorSchema, ...schemas() },
  },
});

const paths = (): Record<string, Record<string, unknown>> => {
  const result: Record<string, Record<string, unknown>> = {};
  for (const route of routes as readonly Route[]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    result[path] = { ...result[path], [route.method.toLowerCase()]: operation(route) };
  }
  return result;
};

const operation = (route: Route) => ({
  operationId: route.id,
  tags: [route.group],
  summary: route.summary,
  description: levelText(route.level),
  'x-drover-level': route.level,
  security: securityOf(route.level),
  parameters: [
    ...(route.path.includes(':id')
      ? [parameter('path', 'id', route.names ?? 'The session id, or a unique prefix of it.', true)]
      : []),
    ...(route.path.includes(':request')
      ? [parameter('path', 'request', 'The id of the request.', true)]
      : []),
    ...Object.entries(route.query ?? {}).map(([name, help]) => parameter('query', name, help)),
    ...(route.answer === 'stream'
      ? [parameter('header', 'Last-Event-ID', 'The last id seen; the replay continues after it.')]
      : []),
    ...Object.entries(route.headers ?? {}).map(([name, help]) => parameter('header', name, help)),
  ],
  ...(route.body && {
    requestBody: {
      required: !takesNothing(route.body),
      content: { 'application/json': { schema: bodySchema(route.body) } },
    },
  }),
  responses: responses(route),
});

const levelText = (level: Level): string => {
  if (level === 'open') return 'Needs no token.';
  if (level === 'person') return "For a person: the user's own commands and page. No token is enough.";
  if (level === 'local')
    return "For the user's own commands, over the Unix socket. Neither a token nor the page is enough.";
  return `Needs the right \`${level}\`: ${rightsHelp[level]}.`;
};

const securityOf = (level: Level): object[] => {
  if (level === 'open' || level === 'local') return [];
  return level === 'person' ? [{ page: [] }] : [{ token: [level] }, { page: [] }];
};

const parameter = (where: string, name: string, description: string, required = false) => ({
  in: where,
  name,
  description,
  required,
  schema: { type: 'string' },
});

const bodySchema = (body: NonNullable<Route['body']>): unknown =>
  body === 'event'
    ? { type: 'object', description: 'The payload of a hook, as Claude Code gave it.' }
    : bodySchemaOf(body);

/** An empty body is an empty object. */
const takesNothing = (body: NonNullable<Route['body']>): boolean =>
  body !== 'event' && body.safeParse({}).success;

const responses = (route: Route): Record<string, unknown> => {
  const result: Record<string, unknown> = {
    [route.status ?? 200]: { description: 'Done.', content: content(route.answer) },
  };
  if (route.answer === 'stream' && route.path.includes(':id'))
    result[204] = { description: 'Nothing follows: the session has ended.' };
  const known = errorsOf(route);
  for (const status of new Set(known.map(code => errors[code].status))) {
    const codes = known.filter(code => errors[code].status === status);
    const description = codes.map(code => `\`${code}\`: ${errors[code].message}`).join(' ');
    result[status] = {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return result;
};

const content = (answer: Route['answer']): Record<string, unknown> => {
  if (answer === 'stream')
    return { 'text/event-stream': { schema: { type: 'string', description: frames } } };
  if (answer === 'file') return { '*/*': { schema: { type: 'string' } } };
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  if (answer === 'json') return { 'application/json': { schema: { type: 'object' } } };
  return { 'application/json': { schema: answerSchema(answer) } };
};

const frames =
  'Server-sent events. `hook`: `data` is the payload of a hook as Claude Code gave it, `raw`: the same in base64 where it cannot be sent as text; `state`: `{"sessions": [Session]}`; `end`: `{"reason", "next"}`, and the stream ends; `gap`: earlier events are gone; `fleet`: `{"connection", "since", "problem", "hosts": [{"name", "isAway", "seenAt"}]}`, the other hosts on a machine that has joined a fleet. `id` is a sequence number: send the last one as Last-Event-ID.';

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint'],
      properties: {
        code: { type: 'string', enum: Object.keys(errors) },
        message: { type: 'string' },
        hint: { type: 'string' },
      },
    },
  },
};
