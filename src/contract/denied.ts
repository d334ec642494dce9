/** Calls that Claude Code denied without asking, over all sessions. */
import * as z from 'zod';
import { Denial } from './session.ts';

export const DeniedCall = Denial.extend({
  sessionId: z.string(),
  project: z.string().nullable(),
  /** Where the session was started: its project's settings are there. */
  dir: z.string().nullable(),
  /** The permission rule that allows this call and no other; null where there is none. */
  rule: z.string().nullable(),
});
export type DeniedCall = z.infer<typeof DeniedCall>;

export const DeniedPage = z.object({
  /** Newest first. */
  denials: z.array(DeniedCall),
  /** How many calls each rule would have allowed, the most first. */
  rules: z.array(z.object({ rule: z.string(), count: z.number().int() })),
  /** All of them, also those that are not listed. */
  total: z.number().int(),
});
export type DeniedPage = z.infer<typeof DeniedPage>;
