/** Titles and tags that people give sessions. */
import * as z from 'zod';

/** Null removes the name: the generated title or the project is shown again. */
export const SetTitle = z.strictObject({ title: z.string().trim().min(1).max(200).nullable() });
export type SetTitle = z.infer<typeof SetTitle>;

/** Letters, digits, `.`, `_`, `/` and `-`, so that a tag is one word in a filter. */
export const Tag = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,39}$/u);

export const SetTags = z.strictObject({
  add: z.array(Tag).max(100).optional(),
  remove: z.array(z.string().max(40)).max(100).optional(),
});
export type SetTags = z.infer<typeof SetTags>;
