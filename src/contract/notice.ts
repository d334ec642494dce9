/** Notifications: what is sent, its settings, and the log of what was sent, failed or suppressed. */
import * as z from 'zod';
import { OutcomeKind, Pane, Reason } from './session.ts';

export const Notice = z.object({
  at: z.number().int(),
  /** One readable line. */
  title: z.string(),
  /** A line for each session. */
  text: z.string(),
  /** What push and ntfy say without `details` in a notice about no session; title and text if unset. */
  brief: z.object({ title: z.string(), text: z.string() }).optional(),
  sessions: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      project: z.string().nullable(),
      branch: z.string().nullable(),
      reason: Reason,
      /** How its last turn ended; null while it waits for anything else. */
      outcome: OutcomeKind.nullable(),
      /** The state in words, such as `needs approval`. */
      says: z.string(),
      since: z.number().int(),
      request: z.string().nullable(),
      /** The id of the request; null where it waits for something else. */
      requestId: z.number().int().nullable(),
      pane: Pane.nullable(),
    }),
  ),
});
export type Notice = z.infer<typeof Notice>;

const address = z.url({ protocol: /^https?$/ });
const seconds = z.number().min(0);
const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 22:30');

/** A webhook whose body is made from a template. */
export const WebhookConfig = z.object({
  url: address,
  /** What the log calls it. */
  name: z.string().min(1).default('webhook'),
  headers: z.record(z.string(), z.string()).default({}),
  /** Any JSON; `{{title}}`, `{{text}}`, `{{url}}` and `{{count}}` in its texts are replaced. The notice itself if unset. */
  body: z.json().optional(),
  /** `html`: `&`, `<` and `>` of the replacements become entities, as Slack and Telegram's HTML mode want it. */
  escape: z.enum(['none', 'html']).default('none'),
  /** Longest `{{text}}`, in characters. */
  maxText: z.number().int().positive().default(3_000),
});
export type WebhookConfig = z.infer<typeof WebhookConfig>;

export const NtfyConfig = z
  .object({
    /** Such as https://ntfy.example. There is no default: nothing is sent to a server that you did not name. */
    server: address,
    topic: z.string().regex(/^[-\w]{1,64}$/, 'is not a topic name'),
    token: z
      .string()
      .regex(/^[!-~]+$/, 'is not a token')
      .optional(),
    /** Send the request too, not only project and reason. */
    details: z.boolean().default(false),
    /** 1 (lowest) to 5 (highest). */
    priority: z.number().int().min(1).max(5).default(4),
    /**
     * Offer Deny, and Allow where the message has the complete request. Whoever can read the topic can press them: the server must
     * refuse to let anyone read it without a token.
     */
    actions: z.boolean().default(false),
  })
  .refine(({ actions, token }) => !actions || token !== undefined, {
    path: ['actions'],
    message:
      'needs a `token`: on a topic that anyone can read, anyone could answer. The server must refuse reading without a token too',
  });
export type NtfyConfig = z.infer<typeof NtfyConfig>;

/** `notify` in the config. Without it only paired devices are notified, if `push` names their services. */
export const NotifyConfig = z.object({
  /** Turns notifications off without losing the other settings. */
  on: z.boolean().default(true),
  /** Seconds that any session waits before a notification is sent. Without it `blockedAfter` and `finishedAfter` apply. */
  after: z.number().positive().optional(),
  /** Seconds that an approval, a question, a plan, a start-up dialog or an error waits (default 30). */
  blockedAfter: seconds.optional(),
  /** Seconds from the first finished session to the digest of all (default 600); null for no digest. */
  finishedAfter: seconds.nullable().optional(),
  /** Seconds that a finished session waits whose turn had denied calls (default: as any finished one); null for never. */
  deniedAfter: seconds.nullable().optional(),
  /** Seconds between two notifications (default 0, with `after` 300); sessions in between go into the next one. */
  cooldown: seconds.optional(),
  /** Seconds between two notifications about the same session (default 300, with `after` 0). */
  sessionCooldown: seconds.optional(),
  /** Local time in which nothing is sent. What still waits at the end goes into one digest. */
  quietHours: z.object({ from: timeOfDay, to: timeOfDay }).optional(),
  /** Address at which you reach the page, for links. */
  page: address.optional(),
  /** Ring the terminals that are attached to the sessions' tmux servers. */
  bell: z.boolean().default(false),
  /** notify-send; on macOS terminal-notifier or osascript. */
  desktop: z.boolean().default(false),
  /** Program and arguments; it gets the notification as JSON on standard input. */
  command: z.array(z.string()).min(1).optional(),
  /** The notification is POSTed here: as JSON, or as the template says. */
  webhook: z.union([address, WebhookConfig, z.array(WebhookConfig)]).optional(),
  ntfy: NtfyConfig.optional(),
});
export type NotifyConfig = z.infer<typeof NotifyConfig>;

/** Why a notification was not sent, or not yet. */
export const Suppression = z.enum(['cooldown', 'quiet hours', 'in sight', 'seen']);
export type Suppression = z.infer<typeof Suppression>;

/** One line of the log: a notification by one channel, or one that was suppressed. */
export const NoticeEntry = z.object({
  at: z.number().int(),
  outcome: z.enum(['sent', 'failed', 'suppressed']),
  /** Null for a suppressed one. */
  channel: z.string().nullable(),
  title: z.string(),
  /** Why it failed or was suppressed. */
  reason: z.string().nullable(),
  sessions: z.array(z.string()),
  /** Since when the session of a suppressed one waits. */
  since: z.number().int().nullable(),
});
export type NoticeEntry = z.infer<typeof NoticeEntry>;

/** What became of a notification in each channel. */
export const NoticeTest = z.object({
  deliveries: z.array(
    z.object({
      channel: z.string(),
      /** Null if it was sent. */
      failure: z.string().nullable(),
    }),
  ),
});
export type NoticeTest = z.infer<typeof NoticeTest>;

export const NotifyStatus = z.object({
  on: z.boolean(),
  /** Notifications since the start, and those with a failed channel. */
  sent: z.number().int(),
  failed: z.number().int(),
  /** Notifications since the start that were not sent, or later than usual. */
  suppressed: z.number().int(),
  lastAt: z.number().int().nullable(),
  lastFailure: z.string().nullable(),
});
export type NotifyStatus = z.infer<typeof NotifyStatus>;

export const NoticePage = z.object({
  status: NotifyStatus,
  /** The newest entries, oldest first. */
  entries: z.array(NoticeEntry),
});
export type NoticePage = z.infer<typeof NoticePage>;
