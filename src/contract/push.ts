/** Web Push: the config, the subscription of a device, and the notification that a device gets. */
import * as z from 'zod';

/** `push` in the config. Without it no push notification is sent. */
export const PushConfig = z.object({
  /** Contact of the sender; push services require one. */
  subject: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be mailto:you@host or https://…'),
  /** The push services that may be used: hosts, and all hosts below them. Nothing is sent anywhere else. */
  services: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'is not a host name'),
    )
    .min(1),
  /** Whether notifications show the request, and not only project and reason. */
  details: z.boolean().default(false),
});
export type PushConfig = z.infer<typeof PushConfig>;

/** Where and how to reach a device, as its browser says. */
export const PushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{80,100}=?$/, 'is not a public key'),
    auth: z.string().regex(/^[\w-]{20,40}={0,2}$/, 'is not a secret'),
  }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** Whether the calling device can get push notifications, and whether it does. */
export const PushState = z.object({
  /** The public key to subscribe with; null when `push` is not in the config. */
  key: z.string().nullable(),
  /** The calling device is paired, so it may subscribe. */
  paired: z.boolean(),
  subscribed: z.boolean(),
});
export type PushState = z.infer<typeof PushState>;

/** What a notification can answer. */
export const PushChoice = z.enum(['allow', 'deny']);
export type PushChoice = z.infer<typeof PushChoice>;

/** A press on an action of a notification. */
export const PushAnswer = z.strictObject({
  /** The single-use key from the notification. */
  key: z.string().min(1).max(100),
  /** The id of the request. */
  request: z.number().int(),
  choice: PushChoice,
});
export type PushAnswer = z.infer<typeof PushAnswer>;

/** What is sent to a device, encrypted. */
export interface PushMessage {
  title: string;
  body: string;
  /** A later notification with the same tag replaces this one. */
  tag: string;
  /** The session that a tap opens; null for the list. */
  session: string | null;
  actions: PushAction[];
  /** With `allow` and `deny`: the request that they answer, and the single-use key. */
  request?: number;
  key?: string;
}

/** `review` opens the session, as a tap does. */
export type PushAction = PushChoice | 'review';
