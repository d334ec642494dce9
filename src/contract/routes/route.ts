/** What a route says of itself, and the refusals that many share. */
import type * as z from 'zod';
import type { ErrorCode } from '../error.ts';
import type { Inside } from '../inside.ts';
import type { Level } from '../rights.ts';

export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** What a caller needs. */
  level: Level;
  /** The name under which the audit records it, done or refused. */
  audit?: string;
  /** Whether it may be asked for from inside a Claude Code session; without it, it may. */
  inside?: Inside;
  group: 'events' | 'sessions' | 'hub' | 'queue' | 'wakes' | 'daemon' | 'page';
  summary: string;
  /** What `:id` names, and its form, where it is not a session. */
  names?: string;
  pattern?: RegExp;
  /** `event`: the raw payload, kept as it came. */
  body?: z.ZodType | 'event';
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** 200 unless told. */
  status?: number;
  answer: z.ZodType | 'stream' | 'text' | 'json' | 'file';
  errors: ErrorCode[];
}

export const guard: ErrorCode[] = ['unauthorized', 'forbidden', 'bad_host', 'bad_origin'];
export const named: ErrorCode[] = ['bad_id', 'no_session', 'ambiguous'];
/** What may be wrong with any body. */
export const body: ErrorCode[] = ['bad_json', 'bad_request', 'too_large'];
