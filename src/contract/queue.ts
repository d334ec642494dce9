/** The queue as programs read it. */
import * as z from 'zod';
import { Session } from './session.ts';

/** Why `next` leaves a session out for now. `away`: its host in the fleet sends no heartbeat. */
export const Deferred = z.enum(['skipped', 'snoozed', 'dismissed', 'claimed', 'away']);
export type Deferred = z.infer<typeof Deferred>;

export const QueueItem = z.object({
  session: Session,
  /** 1 for the first. */
  position: z.number().int(),
  /** Null: `next` may return it. */
  deferred: Deferred.nullable(),
  /** When the deferral ends, ms; null when only a change of state ends it. */
  until: z.number().int().nullable(),
});
export type QueueItem = z.infer<typeof QueueItem>;

/** `blocked-first`: sessions that cannot continue without a person, then finished ones. `fifo`: in the order in which they came. */
export const Order = z.enum(['blocked-first', 'fifo']);
export type Order = z.infer<typeof Order>;

export const Queue = z.object({
  order: Order,
  /** Every waiting session in order, including deferred ones. */
  items: z.array(QueueItem),
});
export type Queue = z.infer<typeof Queue>;

export const Next = z.object({
  /** The session to go to, claimed for the caller; null when no session waits that is not deferred. */
  next: QueueItem.nullable(),
  /** How many sessions wait, and how many of them are deferred. */
  waiting: z.number().int(),
  deferred: z.number().int(),
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
