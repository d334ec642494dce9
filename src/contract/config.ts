/** config.json. Every field is optional; unknown ones are kept for other versions. */
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
  /** Port on 127.0.0.1; `--port` and DROVER_PORT override it. */
  port: z.number().int().min(0).max(65535).default(4000),
  /** Further Host headers to accept, `name` or `name:port`. */
  allowHosts: z.array(z.string().regex(/^[\w.\-[\]:]+$/, 'is not a host')).default([]),
  /** Path of the Claude CLI if it is not on PATH. */
  claude: z.string().optional(),
  /** Claude folders besides CLAUDE_CONFIG_DIR or ~/.claude. */
  claudeDirs: z.array(z.string()).default([]),
  retention: z
    .object({
      days: positive.default(limits.retention.age / 86_400_000),
      events: positive.int().default(limits.retention.events),
      bytes: positive.int().default(limits.retention.bytes),
      /** Limits for one session, running or not. */
      sessionEvents: positive.int().default(limits.retention.sessionEvents),
      sessionBytes: positive.int().default(limits.retention.sessionBytes),
    })
    .prefault({}),
  /** When a working session without progress is marked `stalled`: inside a tool, and between two calls. */
  stalls: z
    .object({
      toolMinutes: positive.default(20),
      betweenMinutes: positive.default(5),
      /** Whether a stalled session enters the queue. */
      queue: z.boolean().default(false),
    })
    .prefault({}),
  /** Regular expressions whose matches are replaced in everything that leaves the daemon (logs, webhooks, wakes). */
  redact: z.array(z.string().refine(isPattern, 'is not a regular expression')).default([]),
  /** Which sessions programs may type into, interrupt and stop. */
  drive: z.enum(['managed', 'all', 'none']).default('managed'),
  /** Whether commands that act for a person also run inside Claude Code sessions. */
  insideSessions: z.enum(['refuse', 'allow']).default('refuse'),
  /** Socket of the tmux server for managed sessions; the user's default server if unset. */
  tmuxSocket: z.string().optional(),
  /** Whether managed sessions keep running when a signal stops the daemon. */
  onShutdown: z.enum(['keep', 'stop']).default('keep'),
  /** Order of the queue: longest wait first, or sessions blocked by a dialog first. */
  order: Order.default('fifo'),
  /** Folders whose sessions are held, and how long a request is held. */
  hold: z
    .object({
      projects: z.array(z.string()).default([]),
      minutes: positive.max(limits.approvals.maxHold / 60_000).default(limits.approvals.hold / 60_000),
    })
    .prefault({}),
  /** Sessions kept ready for `drover print --warm`, and for how long after the last run. */
  warm: z
    .object({
      size: z.number().int().min(0).max(limits.warm.maxSessions).default(0),
      minutes: positive.default(10),
    })
    .prefault({}),
  /** Notifications for a person who is away. */
  notify: NotifyConfig.optional(),
  tmux: z
    .object({
      /** Keys after the prefix; null for none. */
      keys: z.object({ next: key('Tab'), skip: key('S'), board: key('g'), back: key('B') }).prefault({}),
      /** Turns pane borders on, which show the states of sessions. */
      border: z.boolean().default(true),
    })
    .prefault({}),
  /** Whether hooks and commands may start the daemon. */
  autostart: z.boolean().default(true),
});
export type Config = z.infer<typeof Config>;
