/** config.json: every field optional, unknown ones kept for other versions. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { NotifyConfig } from './notice.ts';
import { Order } from './queue.ts';

const isPattern = (text: string): boolean => {
  try {
    RegExp(text, 'g');
    return true;
  } catch {
    return false;
  }
};

/** A key by its tmux name. */
const key = (name: string) =>
  z
    .string()
    .regex(/^[!-~]{1,20}$/, 'is not the name of a key')
    .nullable()
    .default(name);

const positive = z.number().positive();

export const Config = z.looseObject({
  /** Port on 127.0.0.1; `--port` and DROVER_PORT win. */
  port: z.number().int().min(0).max(65535).default(4000),
  /** Further Host values that requests may carry, `name` or `name:port`. */
  allowHosts: z.array(z.string().regex(/^[\w.\-[\]:]+$/, 'is not a host')).default([]),
  /** Path of the Claude CLI, where it is not on PATH. */
  claude: z.string().optional(),
  /** Claude folders beside CLAUDE_CONFIG_DIR or ~/.claude. */
  claudeDirs: z.array(z.string()).default([]),
  retention: z
    .object({
      days: positive.default(limits.retention.age / 86_400_000),
      events: positive.int().default(limits.retention.events),
      bytes: positive.int().default(limits.retention.bytes),
      /** What one session may have, live or not. */
      sessionEvents: positive.int().default(limits.retention.sessionEvents),
      sessionBytes: positive.int().default(limits.retention.sessionBytes),
    })
    .prefault({}),
  /** When a working session without progress is marked `stalled`: inside a tool, and between two calls. */
  stalls: z
    .object({
      toolMinutes: positive.default(20),
      betweenMinutes: positive.default(5),
      /** A stalled session stands in the queue, as one that waits does. */
      queue: z.boolean().default(false),
    })
    .prefault({}),
  /** Regular expressions; what they match is replaced in whatever leaves the daemon (logs, webhooks, wakes). */
  redact: z.array(z.string().refine(isPattern, 'is not a regular expression')).default([]),
  /** Which sessions programs may type into, interrupt and stop: those they started or watch as agents, all, or none. */
  drive: z.enum(['managed', 'all', 'none']).default('managed'),
  /** Whether commands that act for a person run inside Claude Code sessions too. */
  insideSessions: z.enum(['refuse', 'allow']).default('refuse'),
  /** Socket of the tmux server for sessions that the hub starts; the user's default server unless told. */
  tmuxSocket: z.string().optional(),
  /** What becomes of managed sessions when a signal ends the daemon. */
  onShutdown: z.enum(['keep', 'stop']).default('keep'),
  /** Of the queue: who waits longest first, or whose turn is held up by a dialog first. */
  order: Order.default('fifo'),
  /** Requests that wait for an answer through Drover too: in these folders always, and for how long. */
  hold: z
    .object({
      projects: z.array(z.string()).default([]),
      minutes: positive.max(limits.approvals.maxHold / 60_000).default(limits.approvals.hold / 60_000),
    })
    .prefault({}),
  /** For `drover print --warm`: how many CLIs wait for a prompt, and for how long after the last one. */
  warm: z
    .object({
      size: z.number().int().min(0).max(limits.warm.maxSessions).default(0),
      minutes: positive.default(10),
    })
    .prefault({}),
  /** Telling someone who is away. */
  notify: NotifyConfig.optional(),
  tmux: z
    .object({
      /** Keys behind the prefix; null: none. */
      keys: z.object({ next: key('Tab'), skip: key('S'), board: key('g'), back: key('B') }).prefault({}),
      /** Switches the borders of panes on where they are off: they show what each session does. */
      border: z.boolean().default(true),
    })
    .prefault({}),
  /** A hook may start the daemon at a session's start, and a command that needs it when it is gone. */
  autostart: z.boolean().default(true),
});
export type Config = z.infer<typeof Config>;
