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

/** The event that led to a state, and its time. */
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
  /** Such as `%3`. Numbers restart with the server, so socket and server pid are needed too. */
  id: z.string(),
  /** The pane's own process. */
  pid: z.number().int().nullable(),
  session: z.string().nullable(),
  window: z.string().nullable(),
  windowIndex: z.number().int().nullable(),
});
export type Pane = z.infer<typeof Pane>;

export const Question = z.object({
  question: z.string(),
  header: z.string().nullable(),
  multiSelect: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
});
export type Question = z.infer<typeof Question>;

/** The open request, or the last message. */
export const Detail = z.object({
  /** One readable line. */
  line: z.string(),
  /** The last message, the plan, the error or the tool's input: all of it, or its beginning. */
  text: z.string().nullable(),
  /** Characters that `text` leaves out. `GET /sessions/:id` has the complete input of a request. */
  cut: z.number().int(),
  tool: z.string().nullable(),
  questions: z.array(Question),
  /** The subagent that asks. */
  agent: z.string().nullable(),
  /** The id of the request that this describes; null where it is not a request. */
  request: z.number().int().nullable(),
});
export type Detail = z.infer<typeof Detail>;

/** A working session without progress: since when, and inside which tool (null: between two calls). */
export const Stall = z.object({
  since: z.number().int(),
  tool: z.string().nullable(),
  /** Whether it is in the queue for that, as the config says. */
  queued: z.boolean(),
});
export type Stall = z.infer<typeof Stall>;

export const ContextUse = z.object({
  tokens: z.number().int(),
  window: z.number().int().nullable(),
  percent: z.number().nullable(),
});
export type ContextUse = z.infer<typeof ContextUse>;

/** How the present wait of a session was deferred or claimed, and whether it was notified. */
export const Deferral = z.object({
  /** The wait that this belongs to, by its beginning. */
  since: z.number().int(),
  /** When it was skipped, which moved it to the back of the queue. */
  skipped: z.number().int().nullable(),
  snoozed: z.number().int().nullable(),
  /** The reason for which it was waiting when it was dismissed. */
  dismissed: Reason.nullable(),
  /** Who is on the way to it, and until when `next` sends nobody else. */
  claim: z.object({ by: z.string(), until: z.number().int() }).nullable(),
  /** When a notification about it was sent. */
  notified: z.number().int().nullable(),
});
export type Deferral = z.infer<typeof Deferral>;

/** Where requests of a session can be answered: in its terminal only, or through Drover too. */
export const Approvals = z.enum(['terminal', 'held']);
export type Approvals = z.infer<typeof Approvals>;

/** A request that waits for an answer, as lists show it. */
export const OpenRequest = z.object({
  /** The sequence number of its event. An answer names it. */
  id: z.number().int(),
  kind: Reason,
  tool: z.string().nullable(),
  /** The subagent that asks. */
  agent: z.string().nullable(),
  /** One readable line. */
  line: z.string(),
  /** When it asked, ms. */
  at: z.number().int(),
  /** Until when it can be answered through Drover, ms; null when only its terminal can. */
  until: z.number().int().nullable(),
});
export type OpenRequest = z.infer<typeof OpenRequest>;

/** A request that waits for `POST /sessions/:id/answer`, while its dialog can be answered in the terminal. */
export const Pending = z.object({
  /** The sequence number of its event; an answer may name it. */
  id: z.number().int(),
  tool: z.string().nullable(),
  /** After this only the terminal can answer, ms. */
  until: z.number().int(),
});
export type Pending = z.infer<typeof Pending>;

export const Session = z.object({
  id: z.string(),
  /** The name that the program which started it gave it. */
  name: z.string().nullable(),
  state: State,
  reason: Reason.nullable(),
  /** Since when it is in this state, ms. */
  since: z.number().int(),
  evidence: Evidence,
  detail: Detail.nullable(),
  cwd: z.string().nullable(),
  /** Where it was started. */
  dir: z.string().nullable(),
  /** The last part of `dir`. */
  project: z.string().nullable(),
  transcript: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  pid: z.number().int().nullable(),
  version: z.string().nullable(),
  pane: Pane.nullable(),
  /** `silent`: alive, but without hook events. */
  hooks: z.enum(['live', 'silent']),
  context: ContextUse.nullable(),
  deferral: Deferral.nullable(),
  stalled: Stall.nullable(),
  approvals: Approvals,
  /** Every open request; those that can be answered through Drover come first. `detail` describes the first. */
  requests: z.array(OpenRequest),
  /** The first of them, if it can be answered through Drover. */
  pending: Pending.nullable(),
  /** Started through the hub. */
  managed: z.boolean(),
  /** Not started through the hub, but a person lets programs type into it. */
  driven: z.boolean(),
  headless: z.boolean(),
  /** The session that follows: after `/clear`, or when its process resumed another conversation. */
  next: z.string().nullable(),
  /** Host of a session that runs elsewhere. */
  host: z.string().nullable(),
  /** Who reports it over HTTP: a token, a host, or `post`; null for a session that was seen on this machine. */
  origin: z.string().nullable(),
  /** First and last event, ms. */
  started: z.number().int(),
  touched: z.number().int(),
  /** Last event folded in. */
  seq: z.number().int(),
});
export type Session = z.infer<typeof Session>;

/** One step of the chain of evidence. */
export const Step = z.object({
  at: z.number().int(),
  state: State,
  reason: Reason.nullable(),
  evidence: Evidence,
});
export type Step = z.infer<typeof Step>;
