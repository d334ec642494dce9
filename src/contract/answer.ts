/** Held requests as programs read and answer them. */
import * as z from 'zod';
import { Approvals, OpenRequest } from './session.ts';

/** An open request in full. */
export const Request = OpenRequest.extend({
  /**
   * The complete input of the tool as the CLI gave it: the command, the questions with their options, the plan. Null where
   * there is none, or the log no longer has it.
   */
  input: z.record(z.string(), z.unknown()).nullable(),
  /** `remember` has something to remember. */
  rememberable: z.boolean(),
  /** Since when it is held, ms; null: it is not. */
  since: z.number().int().nullable().optional(),
});
export type Request = z.infer<typeof Request>;

/** A request that an answer through Drover can reach. */
export const HeldRequest = Request.extend({
  kind: z.enum(['permission', 'question', 'plan']),
  until: z.number().int(),
});
export type HeldRequest = z.infer<typeof HeldRequest>;

/** What ended a hold: an answer through Drover, one in the terminal, its time, or that nobody waited any more. */
export const ReleasedBy = z.enum(['answer', 'terminal', 'deadline', 'gone']);
export type ReleasedBy = z.infer<typeof ReleasedBy>;

/** A request that is over, or that Drover can no longer answer. */
export const PastRequest = z.object({
  id: z.number().int(),
  line: z.string(),
  /** When that happened, ms. */
  at: z.number().int(),
  by: ReleasedBy,
  /** What was decided; null where that is not known. */
  behavior: z.enum(['allow', 'deny']).nullable(),
});
export type PastRequest = z.infer<typeof PastRequest>;

export const Answer = z.strictObject({
  /** The id of the request that is answered. It may be left out only while exactly one request is open. */
  id: z.number().int().optional(),
  /** For a permission or a plan; `deny` declines a question too. */
  behavior: z.enum(['allow', 'deny']).optional(),
  /** With `deny`: what the model is told. */
  message: z.string().min(1).optional(),
  /** With `deny`: the turn ends. */
  interrupt: z.boolean().optional(),
  /** With `allow`: the tool runs with this input instead. */
  updated_input: z.record(z.string(), z.unknown()).optional(),
  /** With `allow`: as the dialog's own "and don't ask again". */
  remember: z.boolean().optional(),
  /** For questions: each by its text or header, with a label, several labels, or words of your own. */
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).optional(),
});
export type Answer = z.infer<typeof Answer>;

/** What was answered. */
export const Answered = z.object({
  id: z.number().int(),
  tool: z.string().nullable(),
  /** What was answered, in one line. */
  line: z.string(),
  behavior: z.enum(['allow', 'deny']),
  /** SHA-256 of the input that was answered, as JSON. */
  inputHash: z.string(),
});
export type Answered = z.infer<typeof Answered>;

export const SetApprovals = z.strictObject({ approvals: Approvals });
export type SetApprovals = z.infer<typeof SetApprovals>;
