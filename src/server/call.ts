/**
 * One call of a route, whatever carried it. Handlers get a call and return a value, a `Reply` or an `EventStream`; they know
 * nothing of HTTP requests and responses.
 */
import type * as z from 'zod';
import type { Caller } from '../contract/caller.ts';
import type { RouteId, routes } from '../contract/routes.ts';
import type { Action } from '../live/audit.ts';
import type { EventStream, Reply } from './reply.ts';

export interface Call<Body = unknown> {
  /** The values of `:id` and `:request` in the path; empty for a route without them. */
  params: { id: string; request?: string };
  query: URLSearchParams;
  /** By names in lower case. */
  headers: Headers;
  /** Parsed by the schema of the route. The bytes themselves where the route takes a raw event. */
  body: Body;
  caller: Caller;
  /** What the handler adds to the record of its action. */
  action: ActionNotes;
  /** Registers what to do when the caller is gone. */
  onLeave: (listener: () => void) => void;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What only the handler knows of an action. */
export type ActionNotes = Pick<Partial<Action>, 'caller' | 'session' | 'requestId' | 'text'>;

type Row<Id extends RouteId> = Extract<(typeof routes)[number], { id: Id }>;

type BodyOf<Route> = Route extends { body: infer Body }
  ? Body extends z.ZodType
    ? z.output<Body>
    : Buffer
  : undefined;

type AnswerOf<Route> = Route extends { answer: infer Answer }
  ? Answer extends z.ZodType
    ? z.output<Answer> | Reply
    : Answer extends 'stream'
      ? EventStream | Reply
      : Answer extends 'json'
        ? object
        : Reply
  : never;

export type Handler<Id extends RouteId> = (
  call: Call<BodyOf<Row<Id>>>,
) => AnswerOf<Row<Id>> | Promise<AnswerOf<Row<Id>>>;

export type Handlers = { [Id in RouteId]: Handler<Id> };

/** Returns a header that was sent once and is not empty; null otherwise. */
export const headerOf = (headers: Headers, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
