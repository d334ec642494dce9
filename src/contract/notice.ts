/** What somebody who is away is told: one digest of all that wait. */
import * as z from 'zod';
import { Pane, Reason } from './session.ts';

export const Notice = z.object({
  at: z.number().int(),
  /** One line for a human's eye. */
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

/** `notify` in the config. Off where it is not there. */
export const NotifyConfig = z.object({
  /** Seconds that a session has waited before anyone is told. */
  after: z.number().positive(),
  /** Seconds between two notices; whatever falls between goes into the next. */
  cooldown: z.number().min(0).default(300),
  /** Ring the terminals that are attached to the sessions' tmux servers. */
  bell: z.boolean().default(false),
  /** notify-send, or osascript on macOS. */
  desktop: z.boolean().default(false),
  /** Program and arguments; the notice comes as JSON on standard input. */
  command: z.array(z.string()).min(1).optional(),
  /** The notice is POSTed here as JSON. */
  webhook: z.url({ protocol: /^https?$/ }).optional(),
});
export type NotifyConfig = z.infer<typeof NotifyConfig>;

export const NotifyStatus = z.object({
  on: z.boolean(),
  /** Notices since the start, and those of which a way of telling failed. */
  sent: z.number().int(),
  failed: z.number().int(),
  lastAt: z.number().int().nullable(),
  lastFailure: z.string().nullable(),
});
export type NotifyStatus = z.infer<typeof NotifyStatus>;
