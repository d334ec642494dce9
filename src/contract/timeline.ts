/** Which session was in which state, and when. Times in ms. */
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
  /** Whether it is live: its last span continues. */
  live: z.boolean(),
  spans: z.array(TimelineSpan),
});
export type TimelineRow = z.infer<typeof TimelineRow>;

export const Timeline = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** Oldest first. */
  rows: z.array(TimelineRow),
});
export type Timeline = z.infer<typeof Timeline>;
