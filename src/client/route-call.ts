/** Calls by route id. Their types come from the route table, which is not loaded: only methods and paths are. */
import type * as z from 'zod';
import type { RouteId, routes } from '../contract/routes.ts';
import { routePaths } from './routes.generated.ts';

type Table = (typeof routes)[number];

type Answers = {
  [Row in Table as Row['id']]: Row['answer'] extends z.ZodType ? z.output<Row['answer']> : unknown;
};

/** What a route answers; `unknown` where it is not JSON of a known shape. */
export type AnswerOf<Id extends RouteId> = Answers[Id];

type Inputs = {
  [Row in Table as Row['id']]: IdInput<Row> & RequestInput<Row> & QueryInput<Row> & BodyInput<Row>;
};

/** The `:id` and the `:request` of the path, the query and the body that a route takes. */
export type InputOf<Id extends RouteId> = Inputs[Id];

type IdInput<Route> = Route extends { path: `${string}:id${string}` } ? { id: string } : { id?: never };

type RequestInput<Route> = Route extends { path: `${string}:request${string}` }
  ? { request: number }
  : { request?: never };

type QueryInput<Route> = Route extends { query: infer Query }
  ? { query?: { [Name in keyof Query]?: string | number | undefined } }
  : { query?: never };

type BodyInput<Route> = Route extends { body: infer Body extends z.ZodType }
  ? object extends z.input<Body>
    ? { body?: z.input<Body> }
    : { body: z.input<Body> }
  : { body?: never };

/** The path of a route as its pattern, for code that must not load the table. */
export type PathOf<Id extends RouteId> = (typeof routePaths)[Id][1];

/** The arguments of a call: the input may be left out where nothing of it is required. */
export type CallArguments<Id extends RouteId, Options> =
  object extends InputOf<Id> ? [input?: InputOf<Id> & Options] : [input: InputOf<Id> & Options];

/** Returns the path of a call with its query. */
export const pathOf = <Id extends RouteId>(route: Id, ...[input]: CallArguments<Id, object>): string =>
  targetOf(route, input).path;

/** The same without the types of the route, for callers that have checked them. */
export const targetOf = (route: RouteId, input: AnyInput = {}): { method: Method; path: string } => {
  const [method, pattern] = routePaths[route];
  const { id = '', request = '', query = {} } = input;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const path = pattern.replace(':id', encodeURIComponent(id)).replace(':request', String(request));
  return { method, path: search.size > 0 ? `${path}?${search.toString()}` : path };
};

export type Method = 'GET' | 'POST' | 'DELETE';

export interface AnyInput {
  id?: string;
  request?: number;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}
