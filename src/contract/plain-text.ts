/** Text that a caller gives and that may be typed into a terminal: an escape in it would be keys. */
import * as z from 'zod';

/** The first character that is not text; line breaks and tabs are. */
export const controlCharacterIn = (text: string): string | undefined =>
  /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/.exec(text)?.[0];

export const PlainText = z.string().superRefine((text, context) => {
  const found = controlCharacterIn(text);
  if (found !== undefined)
    context.addIssue(`must not contain control characters (it has ${found.charCodeAt(0)})`);
});
