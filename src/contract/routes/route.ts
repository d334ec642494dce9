/** One row of the route table, and the errors that many rows share. */
import type * as z from 'zod';
import type { ErrorCode } from '../error.ts';
import type { Inside } from '../inside.ts';
import type { Level } from '../rights.ts';

export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** The right that a caller needs. */
  level: Level;
  /** The name under which the audit records it, done or refused. */
  audit?: string;
  /** Restricts calls from inside a Claude Code session. */
  inside?: Inside;
  /**
   * What the fleet does with it. `session`: a call about a session of another host goes to that host. `host`: another host may ask
   * this one, for its own sessions. `never`, or nothing: it works on this machine only. Routes that name a session say one of them.
   */
  remote?: 'session' | 'host' | 'never';
  group: 'events' | 'sessions' | 'hub' | 'queue' | 'wakes' | 'fleet' | 'daemon' | 'page';
  summary: string;
  /** What `:id` names, and its form, where it is not a session. */
  names?: string;
  pattern?: RegExp;
  /** `event`: the raw payload, kept as it came. */
  body?: z.ZodType | 'event';
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** 200 by default. */
  status?: number;
  answer: z.ZodType | 'stream' | 'text' | 'json' | 'file';
  errors: ErrorCode[];
}

/** Errors of a caller that may not use a route. */
export const accessErrors: ErrorCode[] = ['unauthorized', 'forbidden', 'bad_host', 'bad_origin'];
/** Errors of a route that names a session. */
export const sessionErrors: ErrorCode[] = ['bad_id', 'no_session', 'ambiguous'];
/** Errors of a route with a body. */
export const bodyErrors: ErrorCode[] = ['bad_json', 'bad_request', 'too_large'];

/** Errors of a call that goes to another host. */
export const remoteErrors: ErrorCode[] = [
  'host_away',
  'host_silent',
  'host_too_old',
  'fleet_down',
  'expired',
  'no_session',
  'ambiguous',
  'failed',
];

/** The errors of a route, with those of the fleet. */
export const errorsOf = ({ errors, remote }: Route): ErrorCode[] => {
  const more: Partial<Record<NonNullable<Route['remote']>, ErrorCode[]>> = {
    session: remoteErrors,
    never: ['refused'],
  };
  return [...new Set([...errors, ...((remote && more[remote]) ?? [])])];
};

/** The query of a list over all hosts of the fleet. */
export const scope = { scope: 'local: only sessions of this machine, not those of the fleet' };
