/** What a settings file looked like where Drover built on it, so that removal can give it back to the byte. */
import * as z from 'zod';

export const Ground = z.object({
  /** There was no JSON at all: the text of a blank file, or null for no file. */
  blank: z.string().nullable().optional(),
  /** What stood between the braces of an empty top level. */
  root: z.string().optional(),
  /** What stood between the braces of an empty `hooks`; null: Drover made `hooks`. */
  hooks: z.string().nullable().optional(),
  /** The same for each event's list. */
  events: z.record(z.string(), z.string().nullable()),
});
export type Ground = z.infer<typeof Ground>;
