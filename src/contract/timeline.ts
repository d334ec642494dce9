/** Who was in which state, and when: a bar for each session. Times in ms. */
import * as z from 'zod';
import { Reason, State } from './session.ts';

export const TimelineSpan = z.object({
  state: State,
  reason: Reason.nullable(),
  since: z.number().int(),
  until: z.number().int(),
});
export type TimelineSpan = z.infer<typeof TimelineSpan>;

export const TimelineRow = z.object({
  id: z.string(),
  project: z.string().nullable(),
  /** It has not ended: its last span goes on. */
  live: z.boolean(),
  spans: z.array(TimelineSpan),
});
export type TimelineRow = z.infer<typeof TimelineRow>;

export const Timeline = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** Whoever came first stands first. */
  rows: z.array(TimelineRow),
});
export type Timeline = z.infer<typeof Timeline>;
