/** config.json. Every field is optional; unknown ones are kept for other versions. */
import * as z from 'zod';
import { isSubnet } from '../config/subnets.ts';
import { limits } from '../limits.ts';
import { variableName } from '../config/passed-variables.ts';
import { CheckedNotifyConfig } from './checked-notify-config.ts';
import { Permissions } from './hub.ts';
import { PushConfig } from './push.ts';
import { Order } from './queue.ts';
import { Approvals } from './session.ts';
import { BudgetConfig, Price } from './usage.ts';

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
    .regex(/^[!-~]{1,20}$/, 'is not a key name')
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
  /** Names of environment variables that the daemon and the sessions it starts get, besides the usual ones. */
  env: z
    .object({
      pass: z.array(z.string().regex(variableName, 'is not a variable name')).default([]),
    })
    .prefault({}),
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
  /** How long a new background shell keeps a finished session out of the queue. One from an earlier turn never does. */
  background: z.object({ shellSeconds: z.number().nonnegative().default(60) }).prefault({}),
  /** Regular expressions whose matches are replaced in everything that leaves the daemon (logs, webhooks, wakes). */
  redact: z.array(z.string().refine(isPattern, 'is not a regular expression')).default([]),
  /** Whether hook events need a token. `open`: programs on this machine may post them without one. */
  ingest: z.enum(['token', 'open']).default('token'),
  /** Addresses and subnets, besides loopback, from which `ingest: open` accepts events: that of a container's port mapping. */
  ingestFrom: z
    .array(z.string().refine(isSubnet, 'is not an address or a subnet such as 172.17.0.0/16'))
    .default([]),
  /** Which sessions programs may type into, interrupt and stop. */
  drive: z.enum(['managed', 'all', 'none']).default('managed'),
  /** Whether commands that act for a person also run inside Claude Code sessions. */
  insideSessions: z.enum(['refuse', 'allow']).default('refuse'),
  /** Socket of the tmux server for managed sessions; the user's default server if unset. */
  tmuxSocket: z.string().optional(),
  /** Directory of managed sessions whose start names none; the home directory if unset. */
  projectDir: z
    .string()
    .refine(path => path.startsWith('/'), 'must be an absolute path')
    .optional(),
  /** Permissions of managed sessions whose start names none. */
  permissions: Permissions.optional(),
  /** Whether managed sessions keep running when a signal stops the daemon. */
  onShutdown: z.enum(['keep', 'stop']).default('keep'),
  /** Order of the queue: sessions blocked by a dialog or an error first, or only by the time of their arrival. */
  order: z
    .preprocess(order => (order === 'reason' ? 'blocked-first' : order), Order)
    .default('blocked-first'),
  /** Whether a finished turn that ends with a question to you is shown as *asks you*, before those that are done. */
  asks: z.boolean().default(true),
  /** `held`: every session is held from its start. */
  approvals: Approvals.default('terminal'),
  /** Folders whose sessions are held, and how long a request is held. */
  hold: z
    .object({
      projects: z.array(z.string()).default([]),
      minutes: positive.max(limits.approvals.maxHold / 60_000).default(limits.approvals.hold / 60_000),
    })
    .prefault({}),
  /** After how many idle hours a session is parked; null for never. */
  park: z.object({ idleHours: positive.nullable().default(null) }).prefault({}),
  /** Sessions kept ready for `drover print --warm`, and for how long after the last run. */
  warm: z
    .object({
      size: z.number().int().min(0).max(limits.warm.maxSessions).default(0),
      minutes: positive.default(10),
    })
    .prefault({}),
  /** Notifications when sessions wait for you. */
  notify: CheckedNotifyConfig.optional(),
  /** Push notifications for paired devices. */
  push: PushConfig.optional(),
  /** Prices of models in US dollars for a million tokens, besides those of the package. */
  prices: z.record(z.string(), Price).default({}),
  /** US dollars for a day, a week (from Monday) and a session. */
  budget: BudgetConfig.prefault({}),
  /** The message that continues a session after the reset of its usage limit, and the pause between two of them. */
  continue: z
    .object({
      message: z.string().min(1).default('continue'),
      staggerSeconds: z.number().min(0).max(3_600).default(20),
    })
    .prefault({}),
  tmux: z
    .object({
      /** Keys after the prefix; null for none. */
      keys: z
        .object({ next: key('Tab'), skip: key('S'), board: key('g'), back: key('B'), answer: key('A') })
        .prefault({}),
      /** Turns pane borders on, which show the states of sessions. */
      border: z.boolean().default(true),
    })
    .prefault({}),
  /** Whether hooks and commands may start the daemon. */
  autostart: z.boolean().default(true),
});
export type Config = z.infer<typeof Config>;
