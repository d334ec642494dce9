/** What a route says of itself, and the refusals that many share. */
import type * as z from 'zod';
import type { ErrorCode } from '../error.ts';

export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  group: 'events' | 'sessions' | 'hub' | 'queue' | 'wakes' | 'daemon' | 'page';
  summary: string;
  /** What `:id` names, where it is no session. */
  names?: string;
  /** Needs no token. */
  open?: boolean;
  /** `event`: the raw payload, kept as it came. */
  body?: z.ZodType | 'event';
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** 200 unless told. */
  status?: number;
  answer: z.ZodType | 'stream' | 'text' | 'json' | 'file';
  errors: ErrorCode[];
}

export const guard: ErrorCode[] = ['unauthorized', 'bad_host', 'bad_origin'];
export const named: ErrorCode[] = ['bad_id', 'no_session', 'ambiguous'];
/** What may be wrong with any body. */
export const body: ErrorCode[] = ['bad_json', 'bad_request', 'too_large'];
