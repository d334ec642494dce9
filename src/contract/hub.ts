/** What programs ask of the hub, and what they get: sessions started, messages with receipts, keys. */
import * as z from 'zod';
import { Approvals } from './session.ts';

const NoNul = z.string().refine(text => !text.includes('\0'), 'must not contain NUL');

export const CreateSession = z.strictObject({
  /** The id that the session will have everywhere. */
  session_id: z.uuid().toLowerCase(),
  /** An absolute path. */
  cwd: NoNul.refine(path => path.startsWith('/'), 'must be an absolute path'),
  /** Sent as the first message, once the session can take one. */
  prompt: NoNul.min(1).optional(),
  name: NoNul.max(200).optional(),
  /** Further arguments for `claude`. */
  args: z.array(NoNul).max(100).default([]),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), NoNul).default({}),
  model: NoNul.optional(),
  permission_mode: NoNul.optional(),
  /** What is allowed here never fires PermissionRequest. */
  permissions: z
    .strictObject({ allow: z.array(z.string()).default([]), deny: z.array(z.string()).default([]) })
    .optional(),
  /** False: only the hooks of Drover run, not those of the user and the project. */
  inherit_hooks: z.boolean().default(true),
  /** `held`: a permission waits for `POST /sessions/:id/answer` too, while the terminal can answer it. */
  approvals: Approvals.default('terminal'),
  /** Answers the trust dialog of the folder with yes. */
  trust: z.boolean().default(false),
});
export type CreateSession = z.infer<typeof CreateSession>;

export const MessageWait = z.enum(['typed', 'submitted', 'answered']);
export type MessageWait = z.infer<typeof MessageWait>;

export const SendMessage = z.strictObject({
  text: NoNul.min(1),
  /** Answer this request only when it has come so far. */
  wait: MessageWait.optional(),
  /** How long to wait, in seconds; the message goes on whatever happens. */
  timeout: z.number().positive().max(3_600).default(60),
  /** `command`: a slash command is run, not sent as text. */
  as: z.enum(['text', 'command']).default('text'),
  /** Type it even while the session works. */
  force: z.boolean().default(false),
});
export type SendMessage = z.infer<typeof SendMessage>;

export const MessageStatus = z.enum(['queued', 'typed', 'submitted', 'answered', 'refused', 'unknown']);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** What became of a message. */
export const Receipt = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: MessageStatus,
  /** Why it was refused, or why nothing is known. */
  reason: z.string().nullable(),
  /** How the turn that it began ended; null before that. */
  outcome: z.enum(['stopped', 'failed', 'interrupted', 'ended']).nullable(),
  /** What was answered, or the error. */
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

/** What tmux does not know as a key it would type as text. */
const keyName =
  /^(?:[CMS]-)*(?:[!-~]|Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|PPage|NPage|IC|DC|Insert|Delete|F(?:[1-9]|1[0-2]))$/;

/** Named keys as tmux calls them (`Enter`, `Escape`, `Down`, `C-c`), and text as it stands. */
export const PressKeys = z.strictObject({
  keys: z
    .array(z.union([z.strictObject({ text: NoNul.min(1) }), z.string().regex(keyName, 'is no key of tmux')]))
    .min(1)
    .max(100),
});
export type PressKeys = z.infer<typeof PressKeys>;

/** One message of a conversation. */
export const TranscriptMessage = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  /** Tools that were called, by name. */
  tools: z.array(z.string()),
  at: z.number().int().nullable(),
});
export const TranscriptPage = z.object({
  messages: z.array(TranscriptMessage),
  /** Read on with `?after=`; null at the end. */
  next: z.number().int().nullable(),
  /** As far as it was read: what is said later stands behind this. */
  end: z.number().int(),
});
export type TranscriptPage = z.infer<typeof TranscriptPage>;

/** Lets programs type into a session that was not started through the hub, or not any more. */
export const SetDriven = z.strictObject({ on: z.boolean() });
export type SetDriven = z.infer<typeof SetDriven>;
