/** The queue as programs read it. */
import * as z from 'zod';
import { Session } from './session.ts';

/** Why a session is passed over for now. */
export const Held = z.enum(['skipped', 'snoozed', 'dismissed', 'claimed']);
export type Held = z.infer<typeof Held>;

export const QueueItem = z.object({
  session: Session,
  /** 1 for the first. */
  place: z.number().int(),
  /** Null: `next` may go there. */
  held: Held.nullable(),
  /** When it is no longer held, ms; null where only a change of its state ends that. */
  until: z.number().int().nullable(),
});
export type QueueItem = z.infer<typeof QueueItem>;

export const Order = z.enum(['fifo', 'reason']);
export type Order = z.infer<typeof Order>;

export const Queue = z.object({
  order: Order,
  /** Every waiting session in order, held ones too. */
  items: z.array(QueueItem),
});
export type Queue = z.infer<typeof Queue>;

export const Next = z.object({
  /** The one to go to, claimed for who asked; null when nobody waits who is not held. */
  next: QueueItem.nullable(),
  /** How many wait, and how many of them are held. */
  waiting: z.number().int(),
  held: z.number().int(),
});
export type Next = z.infer<typeof Next>;

export const Claim = z.object({
  /** Who asks: a terminal, a person, a program. Without a name every call is someone else. */
  client: z.string().min(1).max(200).optional(),
});
export type Claim = z.infer<typeof Claim>;

export const Snooze = z.object({
  seconds: z
    .number()
    .positive()
    .max(30 * 86_400),
});
export type Snooze = z.infer<typeof Snooze>;
