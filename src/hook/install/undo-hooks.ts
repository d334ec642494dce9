/** What removal needs to restore a settings file byte for byte. */
import * as z from 'zod';

export const UndoHooks = z.object({
  /** Text of a file without JSON; null if there was no file. */
  blank: z.string().nullable().optional(),
  /** Text between the braces of an empty top level. */
  root: z.string().optional(),
  /** Text between the braces of an empty `hooks`; null if Drover added `hooks`. */
  hooks: z.string().nullable().optional(),
  /** The same for each event's list. */
  events: z.record(z.string(), z.string().nullable()),
});
export type UndoHooks = z.infer<typeof UndoHooks>;
