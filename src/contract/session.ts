/** A session as every surface shows it. */
import * as z from 'zod';
import { Source } from './event.ts';

export const State = z.enum(['ready', 'working', 'waiting', 'background', 'ended']);
export type State = z.infer<typeof State>;

export const Reason = z.enum([
  'stopped',
  'permission',
  'question',
  'plan',
  'elicitation',
  'dialog',
  'interrupted',
  'failed',
  'exit',
  'clear',
  'killed',
  'lost',
]);
export type Reason = z.infer<typeof Reason>;

/** Which event said so, and when. */
export const Evidence = z.object({
  source: Source,
  name: z.string(),
  seq: z.number().int(),
  at: z.number().int(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Pane = z.object({
  socket: z.string(),
  serverPid: z.number().int().nullable(),
  id: z.string(),
});
export type Pane = z.infer<typeof Pane>;

export const Session = z.object({
  id: z.string(),
  state: State,
  reason: Reason.nullable(),
  /** Since when it is in this state, ms. */
  since: z.number().int(),
  evidence: Evidence,
  /** What it is asking, or said last, in one readable line. */
  detail: z.string().nullable(),
  cwd: z.string().nullable(),
  /** Where it was started. */
  dir: z.string().nullable(),
  transcript: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  pid: z.number().int().nullable(),
  pane: Pane.nullable(),
  /** The id that follows this one after `/clear`. */
  next: z.string().nullable(),
  /** Host of a session that runs elsewhere. */
  host: z.string().nullable(),
  headless: z.boolean(),
  /** First and last event, ms. */
  started: z.number().int(),
  touched: z.number().int(),
  /** Last event folded in. */
  seq: z.number().int(),
});
export type Session = z.infer<typeof Session>;
