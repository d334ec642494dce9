/** Named tokens, for programs. */
import * as z from 'zod';
import { ownerName } from './caller.ts';
import { reservedOrigins } from './origin.ts';
import { rights } from './rights.ts';
import { tokenName } from './token-name.ts';

export const Right = z.enum(rights);

export const AddToken = z.strictObject({
  name: z
    .string()
    .regex(tokenName, 'is not a name: letters, digits, dot, dash and underscore, 40 at most')
    .refine(name => name !== ownerName, 'is the name of the token in DROVER_HOME/token')
    .refine(name => !reservedOrigins.includes(name), 'is the name of an origin'),
  rights: z.array(Right).min(1, 'name at least one right'),
});
export type AddToken = z.infer<typeof AddToken>;

export const Token = z.object({
  name: z.string(),
  rights: z.array(Right),
  createdAt: z.number().int(),
  /** Rounded to the minute; null when it has not been used yet. */
  usedAt: z.number().int().nullable(),
});
export type Token = z.infer<typeof Token>;

export const TokenList = z.object({ tokens: z.array(Token) });
export type TokenList = z.infer<typeof TokenList>;

/** A new token. The secret is shown only here. */
export const NewToken = Token.extend({ token: z.string() });
export type NewToken = z.infer<typeof NewToken>;
