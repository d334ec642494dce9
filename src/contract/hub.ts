/** Sessions that programs start and drive: create, message, receipt, keys, transcript. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { Approvals } from './session.ts';

const NoNul = z.string().refine(text => !text.includes('\0'), 'must not contain NUL');

/** What a session may do without asking, and what it may not do at all, as in Claude's own settings. */
export const Permissions = z.strictObject({
  allow: z.array(z.string()).default([]),
  deny: z.array(z.string()).default([]),
});
export type Permissions = z.infer<typeof Permissions>;

export const CreateSession = z.strictObject({
  session_id: z.uuid().toLowerCase().describe('The id of the new session.'),
  cwd: NoNul.refine(path => path.startsWith('/'), 'must be an absolute path')
    .optional()
    .describe('An absolute path; by default `projectDir` of the config, else the home directory.'),
  prompt: NoNul.min(1).optional().describe('Sent as the first message, once the session accepts one.'),
  name: NoNul.max(200).optional(),
  args: z.array(NoNul).max(100).default([]).describe('Further arguments for `claude`.'),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), NoNul).default({}),
  model: NoNul.optional(),
  permission_mode: NoNul.optional(),
  permissions: Permissions.optional().describe(
    'Tools that are allowed here never fire PermissionRequest. By default `permissions` of the config.',
  ),
  inherit_hooks: z
    .boolean()
    .default(true)
    .describe('False: only the hooks of Drover run, not those of the user and the project.'),
  approvals: Approvals.default('terminal').describe(
    '`held`: requests can be answered by `POST /sessions/:id/answer` as well as in the terminal.',
  ),
  trust: z.boolean().default(false).describe('Answers the trust dialog of the folder with yes.'),
});
export type CreateSession = z.infer<typeof CreateSession>;
/** A session to start, with its directory. */
export type NewSession = CreateSession & { cwd: string };

export const MessageWait = z.enum(['typed', 'submitted', 'answered']);
export type MessageWait = z.infer<typeof MessageWait>;

export const SendMessage = z.strictObject({
  text: NoNul.min(1),
  wait: MessageWait.optional().describe('Answer when the message has reached this status.'),
  timeout: z
    .number()
    .positive()
    .max(3_600)
    .default(60)
    .describe('How long to wait, in seconds. The message is delivered either way.'),
  as: z
    .enum(['text', 'command'])
    .default('text')
    .describe('`command`: a slash command is run, not sent as text.'),
  force: z.boolean().default(false).describe('Type it even while the session works.'),
});
export type SendMessage = z.infer<typeof SendMessage>;

/** Schedules a message for the reset of a session's usage limit. */
export const ScheduleContinuation = z.strictObject({
  /** By default `continue.message` of the config. */
  text: NoNul.min(1).optional(),
  /** Refuse a reset that is farther away, in seconds (default: 6 hours). */
  within: z
    .number()
    .positive()
    .max(limits.continuation.maxAhead / 1_000)
    .optional(),
});
export type ScheduleContinuation = z.infer<typeof ScheduleContinuation>;

export const MessageStatus = z.enum(['queued', 'typed', 'submitted', 'answered', 'refused', 'unknown']);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** The receipt of a message. */
export const Receipt = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: MessageStatus,
  /** Why it was refused, or why the outcome is unknown. */
  reason: z.string().nullable(),
  /** How its turn ended; null before that. */
  outcome: z.enum(['stopped', 'failed', 'interrupted', 'ended']).nullable(),
  /** The answer, or the error. */
  answer: z.string().nullable(),
  /** Tokens of the last answer of the turn, as the model counted them. */
  usage: z.record(z.string(), z.unknown()).nullable(),
  queuedAt: z.number().int(),
  typedAt: z.number().int().nullable(),
  submittedAt: z.number().int().nullable(),
  answeredAt: z.number().int().nullable(),
});
export type Receipt = z.infer<typeof Receipt>;

export const ReceiptList = z.object({ messages: z.array(Receipt) });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** tmux would type an unknown key name as text. */
const keyName =
  /^(?:[CMS]-)*(?:[!-~]|Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|PPage|NPage|IC|DC|Insert|Delete|F(?:[1-9]|1[0-2]))$/;

/** Keys by their tmux names (`Enter`, `Escape`, `Down`, `C-c`), and literal text. */
export const PressKeys = z.strictObject({
  keys: z
    .array(z.union([z.strictObject({ text: NoNul.min(1) }), z.string().regex(keyName, 'is not a tmux key')]))
    .min(1)
    .max(100),
});
export type PressKeys = z.infer<typeof PressKeys>;

/** One message of a conversation. */
export const TranscriptMessage = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  /** The names of the tools it called. */
  tools: z.array(z.string()),
  at: z.number().int().nullable(),
});
export const TranscriptPage = z.object({
  messages: z.array(TranscriptMessage),
  /** The `?after=` of the next page; null at the end. */
  next: z.number().int().nullable(),
  /** The position up to which the transcript was read. */
  end: z.number().int(),
});
export type TranscriptPage = z.infer<typeof TranscriptPage>;

/** Lets programs type into a session that is not managed, or stops letting them. */
export const SetDriven = z.strictObject({ on: z.boolean() });
export type SetDriven = z.infer<typeof SetDriven>;
