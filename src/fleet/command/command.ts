/** Commands to another host and their answers: calls of the same routes that HTTP serves, in signed envelopes. */
import * as z from 'zod';
import { HostId } from '../../contract/fleet.ts';

export const Command = z.looseObject({
  to: HostId,
  /** The id of a route. A receiver that does not know it is too old. */
  route: z.string(),
  params: z.object({ id: z.string(), request: z.string().optional() }),
  query: z.record(z.string(), z.string()),
  /** `idempotency-key` only. */
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  /** The caller on the sending host, for the audit there. */
  caller: z.object({ kind: z.string(), name: z.string().nullable(), session: z.string().nullable() }),
  /** Identifies this command: it is executed once, however often it arrives. */
  key: z.string().min(16).max(100),
  /** By the receiver's clock, as the sender estimates it, ms. */
  at: z.number().int(),
  expires: z.number().int(),
});
export type Command = z.infer<typeof Command>;

/** One part of an answer. `text` of all parts together is JSON: an `AnswerContent`. */
export const AnswerPart = z.looseObject({
  key: z.string(),
  part: z.number().int(),
  parts: z.number().int(),
  text: z.string(),
});
export type AnswerPart = z.infer<typeof AnswerPart>;

export const AnswerContent = z.looseObject({
  status: z.number().int(),
  /** What the route returned, or the error. */
  json: z.unknown().optional(),
  /** The body of a reply that is not JSON, in base64, and its headers. */
  bytes: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
export type AnswerContent = z.infer<typeof AnswerContent>;
