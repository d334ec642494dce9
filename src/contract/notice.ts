/** Notifications: one digest of all waiting sessions. */
import * as z from 'zod';
import { Pane, Reason } from './session.ts';

export const Notice = z.object({
  at: z.number().int(),
  /** One readable line. */
  title: z.string(),
  /** A line for each session. */
  text: z.string(),
  sessions: z.array(
    z.object({
      id: z.string(),
      project: z.string().nullable(),
      reason: Reason,
      since: z.number().int(),
      asks: z.string().nullable(),
      pane: Pane.nullable(),
    }),
  ),
});
export type Notice = z.infer<typeof Notice>;

/** `notify` in the config. Without it notifications are off. */
export const NotifyConfig = z.object({
  /** Seconds that a session waits before a notification is sent. */
  after: z.number().positive(),
  /** Seconds between two notifications; sessions in between go into the next one. */
  cooldown: z.number().min(0).default(300),
  /** Ring the terminals that are attached to the sessions' tmux servers. */
  bell: z.boolean().default(false),
  /** notify-send, or osascript on macOS. */
  desktop: z.boolean().default(false),
  /** Program and arguments; it gets the notification as JSON on standard input. */
  command: z.array(z.string()).min(1).optional(),
  /** The notification is POSTed here as JSON. */
  webhook: z.url({ protocol: /^https?$/ }).optional(),
});
export type NotifyConfig = z.infer<typeof NotifyConfig>;

export const NotifyStatus = z.object({
  on: z.boolean(),
  /** Notifications since the start, and those with a failed channel. */
  sent: z.number().int(),
  failed: z.number().int(),
  lastAt: z.number().int().nullable(),
  lastFailure: z.string().nullable(),
});
export type NotifyStatus = z.infer<typeof NotifyStatus>;
