/** How long sessions waited for you. Times in ms. */
import * as z from 'zod';

export const Figures = z.object({
  waits: z.number().int(),
  total: z.number().int(),
  median: z.number().int(),
  longest: z.number().int(),
});
export type Figures = z.infer<typeof Figures>;

export const DayFigures = Figures.extend({
  /** Local date, e.g. 2026-01-31: that of the answer. */
  day: z.string(),
});
export type DayFigures = z.infer<typeof DayFigures>;

const NamedFigures = Figures.extend({ name: z.string() });

export const Stats = Figures.extend({
  /** Waits that ended with the session instead of an answer; not part of the other figures. */
  unanswered: z.number().int(),
  /** Sessions that wait now, and the longest wait. */
  open: z.object({ waits: z.number().int(), longest: z.number().int() }),
  days: z.array(DayFigures),
  /** Largest total first. */
  reasons: z.array(NamedFigures),
  projects: z.array(NamedFigures),
});
export type Stats = z.infer<typeof Stats>;
