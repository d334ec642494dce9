/** A session as every surface shows it. */
import * as z from 'zod';
import { ChangeCounts, Collision } from './changes.ts';
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
  'limit',
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
  /** Its pids are the host's and the daemon is in a container: only tmux reaches it. */
  foreign: z.boolean().optional(),
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
  /** Characters that `text` leaves out: in lists and streams. `GET /sessions/:id` leaves out none while the log has the event. */
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
  /** How the window is known: reported by this CLI, measured on this version, or assumed from a related model. */
  windowSource: z.enum(['learned', 'measured', 'assumed']).nullable(),
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
  /** When somebody first looked at it. */
  seen: z.number().int().nullable(),
});
export type Deferral = z.infer<typeof Deferral>;

/** The usage limit that a session waits for. Limits belong to an account: one for each Claude folder. */
export const SessionLimit = z.object({
  /** When it is reset, ms; null when that is not known. */
  resetsAt: z.number().int().nullable(),
  /** `five_hour`, `seven_day`, …; null where Claude Code does not say. */
  window: z.string().nullable(),
  /** Claude Code announced that it continues by itself. */
  continues: z.boolean(),
  /** The reset has passed and the session has not continued: it is in the queue. */
  isOver: z.boolean(),
});
export type SessionLimit = z.infer<typeof SessionLimit>;

/** How much of a quota is used, and when it is reset. */
export const QuotaWindow = z.object({
  percent: z.number(),
  /** Ms; null when that is not known. */
  resetsAt: z.number().int().nullable(),
});
export type QuotaWindow = z.infer<typeof QuotaWindow>;

/** The quotas of a session's account, as its status line last said. */
export const Quota = z.object({
  fiveHour: QuotaWindow.nullable(),
  sevenDay: QuotaWindow.nullable(),
  at: z.number().int(),
});
export type Quota = z.infer<typeof Quota>;

/** A message that the session gets after the reset of its limit. */
export const Continuation = z.object({
  id: z.number().int(),
  /** When it is sent, ms. */
  sendAt: z.number().int(),
  text: z.string(),
});
export type Continuation = z.infer<typeof Continuation>;

/** How answers reach the requests of a session: by keys in its terminal, or through the hooks that Drover holds. */
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
  /** Until when its hook waits for an answer, ms; null when no hook does. */
  until: z.number().int().nullable(),
  /** When Claude Code denies it by itself, ms. Missing where its dialog shows no countdown. */
  deadline: z.number().int().optional(),
});
export type OpenRequest = z.infer<typeof OpenRequest>;

/** A request that waits for `POST /sessions/:id/answer`, while its dialog can be answered in the terminal. */
export const Pending = z.object({
  /** The sequence number of its event; an answer may name it. */
  id: z.number().int(),
  tool: z.string().nullable(),
  /** When its hook is released, ms. */
  until: z.number().int(),
});
export type Pending = z.infer<typeof Pending>;

/** A tool call that Claude Code denied without asking, because its auto mode took it for risky. */
export const Denial = z.object({
  /** The sequence number of its event. */
  id: z.number().int(),
  tool: z.string().nullable(),
  /** The subagent that called it. */
  agent: z.string().nullable(),
  /** The call in one readable line. */
  line: z.string(),
  /** Why, as the check said; the model reads it too. */
  reason: z.string().nullable(),
  at: z.number().int(),
});
export type Denial = z.infer<typeof Denial>;

/** What Claude Code denied in a session. */
export const Denied = z.object({
  /** Calls of its present or last turn, and of all its turns. */
  turn: z.number().int(),
  total: z.number().int(),
  /** Those of this turn, newest first, at most three. */
  last: z.array(Denial),
});
export type Denied = z.infer<typeof Denied>;

/** A background task that runs beside the conversation: a shell, a subagent, a workflow. */
export const RunningTask = z.object({
  /** Claude Code's id of it; where there is none, what it does. */
  id: z.string(),
  /** `shell`, `subagent`, `workflow`, … */
  type: z.string(),
  /** Its command, or what it is for. */
  what: z.string().nullable(),
});
export type RunningTask = z.infer<typeof RunningTask>;

/** A prompt that a session has scheduled for itself. */
export const ScheduledPrompt = z.object({
  /** As Claude Code has it, in cron syntax. */
  schedule: z.string(),
  recurring: z.boolean(),
  prompt: z.string(),
});
export type ScheduledPrompt = z.infer<typeof ScheduledPrompt>;

/** Where a session of another host runs. */
export const FleetPlace = z.object({
  /** The id of its host. */
  host: z.string(),
  name: z.string(),
  /** No heartbeat for 30 s: what is shown is the last that was known. */
  isAway: z.boolean(),
  /** The last heartbeat, ms. */
  seenAt: z.number().int(),
});
export type FleetPlace = z.infer<typeof FleetPlace>;

/** Who gave a session its title. */
export const TitleFrom = z.enum(['person', 'claude', 'project']);
export type TitleFrom = z.infer<typeof TitleFrom>;

/** What the end of a turn means to the person: it asks something, the work is done, or it was cut short. */
export const OutcomeKind = z.enum(['asks', 'done', 'stopped_early']);
export type OutcomeKind = z.infer<typeof OutcomeKind>;

/** Why a turn was cut short. `stop_hook`: a hook ended it, or blocked its end until Claude Code gave up. */
export const EarlyStop = z.enum(['token_limit', 'refusal', 'stop_hook']);
export type EarlyStop = z.infer<typeof EarlyStop>;

/** How the last turn of a finished session ended. */
export const Outcome = z.object({
  kind: OutcomeKind,
  /** What asks, or the reason of the stop, in one line of the model or of a hook; null where there is none, and on other hosts. */
  sentence: z.string().nullable(),
  /** Why it stopped early; null for any other outcome. */
  early: EarlyStop.nullable(),
  /** The part of the rule that decided, as docs/guides/asks.md names it; null on other hosts. */
  rule: z.string().nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

export const Session = z.object({
  id: z.string(),
  /** The name that it was started with through the hub. */
  name: z.string().nullable(),
  /** What people see: the name that a person gave it, else the title that Claude Code generated, else the project. */
  title: z.string().nullable(),
  titleFrom: TitleFrom,
  state: State,
  reason: Reason.nullable(),
  /** Since when it is in this state, ms. */
  since: z.number().int(),
  evidence: Evidence,
  detail: Detail.nullable(),
  /** How its last turn ended; null while it does anything but wait after a turn. */
  outcome: Outcome.nullable(),
  /** The usage limit that it waits for; null for any other reason. */
  limit: SessionLimit.nullable(),
  /** Why its last turn failed, as Claude Code names it: `overloaded`, `authentication_failed`, …; null for any other reason. */
  failure: z.string().nullable(),
  /** The message that is scheduled for the reset of its limit. */
  continuation: Continuation.nullable(),
  /** The quotas of its account. All sessions of one Claude folder share them. */
  quota: Quota.nullable(),
  cwd: z.string().nullable(),
  /** Where it was started. */
  dir: z.string().nullable(),
  /** The last part of `dir`. */
  project: z.string().nullable(),
  /** The git branch that is checked out in its folder; null outside a repository and for a detached HEAD. */
  branch: z.string().nullable(),
  /** Its folder is a linked git worktree. */
  worktree: z.boolean(),
  /** Tags that people gave it, sorted. */
  tags: z.array(z.string()),
  transcript: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  /** How hard the model thinks, as Claude Code names it; null where it does not say. */
  effort: z.string().nullable(),
  /** Background tasks that ran when its last turn ended. */
  tasks: z.array(RunningTask),
  /** Prompts that it has scheduled for itself, as of its last turn. */
  crons: z.array(ScheduledPrompt),
  pid: z.number().int().nullable(),
  version: z.string().nullable(),
  pane: Pane.nullable(),
  /** `silent`: alive, but without hook events. */
  hooks: z.enum(['live', 'silent']),
  context: ContextUse.nullable(),
  /** Resident memory of its process and of all descendants, in bytes; null when unknown. Measured, not recorded. */
  memoryBytes: z.number().int().nullable(),
  /** Files and lines that it changed; null when it changed none. Counted, not recorded. */
  changes: ChangeCounts.nullable(),
  /** Files that another live session changes too. */
  collisions: z.array(Collision),
  /** Ended by `park` to free its memory: it stays listed, and a message or `go` starts it again. */
  parked: z.boolean(),
  deferral: Deferral.nullable(),
  stalled: Stall.nullable(),
  approvals: Approvals,
  /** Every open request; held ones come first. `detail` describes the first. */
  requests: z.array(OpenRequest),
  /** The first of them, if it is held. */
  pending: Pending.nullable(),
  /** When Claude Code denies one of them by itself, ms: the earliest time; null when it waits without a limit. */
  deadline: z.number().int().nullable().default(null),
  /** Calls that Claude Code denied without asking; null when there were none. */
  denied: Denied.nullable().default(null),
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
  /** Its host in the fleet; only sessions of other machines have it. Their id ends with `@` and the host's name. */
  fleet: FleetPlace.optional(),
  /** First and last event, ms. That its process was found gone is none of its events. */
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
