/** Agents that sessions wake: what they watch, where they are reached, and the messages they get. */
import * as z from 'zod';
import { Question } from './session.ts';

export const Trigger = z.enum([
  'response_complete',
  'idle_prompt',
  'permission_prompt',
  'ask_user_question',
  'ask_user_question_answered',
  'plan',
  'dialog',
  'interrupted',
  'failed',
  'pre_compact',
  'session_end',
]);
export type Trigger = z.infer<typeof Trigger>;

/** Settings of an agent. Each field falls back separately: agent, then global, then built-in. */
export const HookSettings = z.looseObject({
  /** Lines of the pane to send: with idle_prompt, permission_prompt and pre_compact, and where nothing was said. At most 1,000 are sent. */
  pane_capture_lines: z.number().int().positive().optional(),
  /** Percentage of the context window from which its use is a WARNING. */
  context_pressure_threshold: z.number().min(0).max(100).optional(),
  /** `bidirectional`: Stop, PreCompact and PermissionRequest wait for the agent's answer. */
  hook_mode: z.enum(['async', 'bidirectional']).optional(),
  /** False: no wake for a turn that continues because a hook blocked its Stop (`stop_hook_active`). */
  wake_on_continuation: z.boolean().optional(),
  /** Text of wakes that a program gets: `gsd` is that of gsd-code-skill. */
  format: z.enum(['text', 'gsd']).optional(),
  /** Turns triggers off, or on again. */
  triggers: z.partialRecord(Trigger, z.boolean()).optional(),
  /** How often an agent may keep a session from stopping in one turn. */
  max_blocks: z.number().int().min(0).max(8).nullable().optional(),
  /** How often in one hour. Null for both: without a limit. */
  blocks_per_hour: z.number().int().min(0).max(1_000).nullable().optional(),
  /** For wakes that go into a session: the longest chain in which each causes the next. Later ones are withheld. */
  max_hops: z.number().int().min(0).max(1_000).optional(),
  /** Seconds that a hook waits for the agent's answer. `drover setup` registers the hooks with a timeout to match. */
  answer_seconds: z.number().positive().optional(),
});
export type HookSettings = z.infer<typeof HookSettings>;

/** All settings, resolved. */
export interface WakeSettings {
  pane_capture_lines: number;
  context_pressure_threshold: number;
  hook_mode: 'async' | 'bidirectional';
  wake_on_continuation: boolean;
  format: 'text' | 'gsd';
  triggers: Record<Trigger, boolean>;
  /** Null: no limit. */
  max_blocks: number | null;
  blocks_per_hour: number | null;
  max_hops: number;
  answer_seconds: number;
}

/** Where an agent is reached, other than by `openclaw agent --session-id`. One of three. */
export const Destination = z.union([
  z.strictObject({
    /** Program and arguments; it gets the message on standard input. */
    command: z.array(z.string()).min(1),
    format: z.enum(['text', 'json']).default('text'),
  }),
  z.strictObject({
    /** The message is POSTed here as JSON. */
    webhook: z.url({ protocol: /^https?$/ }),
    /** A file that only you can read. Its content signs every message. */
    secret_file: z.string().min(1).optional(),
  }),
  z.strictObject({
    /** Another session that Drover may type into, by its id or a prefix of it. */
    session: z.string().min(6),
  }),
]);
export type Destination = z.infer<typeof Destination>;

/** An entry of `agents` in config.json, in the shape of gsd-code-skill's registry. Further fields are kept. */
export const Agent = z.looseObject({
  agent_id: z.string().min(1).max(200),
  /** False: paused. */
  enabled: z.boolean().default(true),
  /** Watches the session in this tmux session, by its exact name. */
  tmux_session_name: z.string().min(1).nullish(),
  /** Newer name of the same field. */
  session_name: z.string().min(1).nullish(),
  /** Watches every session that was started in this folder or below it. */
  project: z.string().min(1).nullish(),
  /** Watches these sessions and what follows them after `/clear`, by their ids or prefixes. */
  sessions: z.array(z.string().min(6)).nullish(),
  /** Watches the sessions that this session has started. Wakes go to that session unless `deliver` is set. */
  parent: z.string().min(6).nullish(),
  /** Watches every session that these origins report over HTTP: names of tokens, or of hosts. No other entry does. */
  origins: z.array(z.string().min(1).max(64)).nullish(),
  openclaw_session_id: z.string().nullish(),
  deliver: Destination.nullish(),
  hook_settings: HookSettings.nullish(),
});
export type Agent = z.infer<typeof Agent>;

/** An agent with its resolved settings. */
export interface WakeAgent {
  id: string;
  entry: Agent;
  settings: WakeSettings;
  /** Why it is not woken; null when it is active. */
  inactive: string | null;
  /** The registry that it was read from; null for config.json. */
  file: string | null;
}

/** An entry, or a field of the global settings, that cannot be used. */
export const RegistryProblem = z.object({
  /** The registry that has it; null for config.json. */
  file: z.string().nullable(),
  line: z.number().int(),
  /** `agents[2].hook_settings.hook_mode`. */
  where: z.string(),
  reason: z.string(),
});
export type RegistryProblem = z.infer<typeof RegistryProblem>;

export const StateHint = z.enum(['menu', 'permission_prompt', 'idle', 'error', 'working', 'terminated']);
export type StateHint = z.infer<typeof StateHint>;

/** Where the content of a wake comes from. */
export const ContentSource = z.enum([
  'last_assistant_message',
  'transcript',
  'pane_diff',
  'raw_pane_tail',
  'tool_input',
  'tool_response',
  'none',
]);
export type ContentSource = z.infer<typeof ContentSource>;

export const Pressure = z.object({
  level: z.enum(['OK', 'WARNING', 'CRITICAL', 'unknown']),
  percent: z.number().nullable(),
  tokens: z.number().int().nullable(),
  window: z.number().int().nullable(),
  /** The window of this model is not known, so level and percent are computed from that of a related one. */
  assumed: z.boolean(),
  /** `before`: as of the previous turn. The use of this one is written shortly after its end. */
  turn: z.enum(['this', 'before']).nullable(),
});
export type Pressure = z.infer<typeof Pressure>;

/** Wake format v2 for programs: the sections of the text form, by name. Sections that a trigger does not have are null. */
export const WakeMessage = z.object({
  format: z.literal(2),
  /** A wake that is delivered twice has the same id. */
  wake: z.string(),
  identity: z.object({
    agent_id: z.string(),
    session: z.string(),
    tmux_session_name: z.string().nullable(),
    pane: z.string().nullable(),
    project: z.string().nullable(),
    /** The name that a person gave it, or the generated title; null where it is the project. */
    title: z.string().nullable(),
    branch: z.string().nullable(),
    directory: z.string().nullable(),
    timestamp: z.string(),
  }),
  trigger: z.object({
    type: Trigger,
    /** The turn continued because a hook blocked its end: blocking it again makes a loop. */
    continuation: z.boolean(),
    /** A later prompt began before this wake could be delivered: it is about an earlier turn. */
    overtaken: z.boolean(),
    /** Length of the chain of wakes that led to this one; 0: a person or a program began the turn. */
    hops: z.number().int(),
    /** Why a session ended. */
    reason: z.string().nullable(),
    /** The session that follows one that was cleared. */
    next: z.string().nullable(),
    /** The id of the request. An answer names it. */
    request: z.number().int().nullable(),
  }),
  /** The command that prints the complete event. */
  all: z.string(),
  content: z.object({ source: ContentSource, text: z.string(), cut: z.boolean() }).nullable(),
  /** The last lines of the pane, with idle_prompt and pre_compact. */
  pane: z.object({ text: z.string(), cut: z.boolean() }).nullable(),
  questions: z.array(Question).nullable(),
  /** The other requests that are open in its session. */
  others: z.array(z.object({ id: z.number().int(), line: z.string(), agent: z.string().nullable() })),
  state: StateHint,
  pressure: Pressure.nullable(),
  actions: z.array(z.object({ command: z.string(), note: z.string().nullable() })),
});
export type WakeMessage = z.infer<typeof WakeMessage>;

/** One delivery to an agent: usually one wake, several that happened together, or a digest of many. */
export interface WakeBundle {
  format: 2;
  id: string;
  agent_id: string;
  /** Whether content was left out. */
  digest: boolean;
  /** Sent by `drover wake test`. */
  test?: true;
  wakes: WakeMessage[];
}

export const WakeStatus = z.enum(['pending', 'withheld', 'sending', 'delivered', 'dropped', 'dead']);
export type WakeStatus = z.infer<typeof WakeStatus>;

/** A wake and its outcome. */
export const Wake = z.object({
  id: z.string(),
  agent: z.string(),
  sessionId: z.string(),
  trigger: Trigger,
  /** The turn or tool call that it is about. With agent, session and trigger it identifies a wake. */
  key: z.string(),
  /** The event that fired it. */
  seq: z.number().int(),
  at: z.number().int(),
  continuation: z.boolean(),
  /** Length of the chain of wakes that led to this one. */
  hops: z.number().int(),
  status: WakeStatus,
  source: ContentSource.nullable(),
  tries: z.number().int(),
  /** Number of wakes in its delivery. */
  together: z.number().int(),
  /** Its delivery. */
  bundle: z.string().nullable(),
  /** The earliest time of the next attempt, ms. */
  due: z.number().int(),
  doneAt: z.number().int().nullable(),
  /** Duration of the last attempt, ms. */
  duration: z.number().nullable(),
  /** Why it was dropped or is withheld, or the last error. */
  reason: z.string().nullable(),
});
export type Wake = z.infer<typeof Wake>;

export const AgentView = z.object({
  agent_id: z.string(),
  /** Why it is not woken; null when it is active. */
  inactive: z.string().nullable(),
  /** The registry that it was read from; null for config.json. */
  file: z.string().nullable(),
  watches: z.array(z.string()),
  delivers: z.string().nullable(),
  hook_mode: z.enum(['async', 'bidirectional']),
  /** Live sessions that it watches now. */
  sessions: z.array(z.string()),
  pending: z.number().int(),
  /** Wakes that are withheld because sessions wake each other. */
  withheld: z.number().int(),
  /** Wakes of the last 30 days that were outdated before they could be delivered. */
  dropped: z.number().int(),
  /** Wakes of the last 30 days that could not be delivered. */
  dead: z.number().int(),
});
export type AgentView = z.infer<typeof AgentView>;

export const WakeList = z.object({
  agents: z.array(AgentView),
  problems: z.array(RegistryProblem),
  /** Newest last. */
  wakes: z.array(Wake),
});
export type WakeList = z.infer<typeof WakeList>;

export const WakeTest = z.object({
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean().nullable(), says: z.string(), fix: z.string().optional() }),
  ),
});
export type WakeTest = z.infer<typeof WakeTest>;

/** With `send`, a test message is sent too. */
export const TestWake = z.strictObject({ agent_id: z.string(), send: z.boolean().default(true) });
