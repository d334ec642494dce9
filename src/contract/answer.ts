/** Held requests as programs read and answer them. */
import * as z from 'zod';
import { Approvals, Pending } from './session.ts';

/** What is asked, in full. */
export const Request = Pending.extend({
  kind: z.enum(['permission', 'question', 'plan']),
  /** The tool's input as the CLI gave it: the command, the questions with their options, the plan. */
  input: z.record(z.string(), z.unknown()),
  /** The subagent that asks. */
  agent: z.string().nullable(),
  /** `remember` has something to remember. */
  rememberable: z.boolean(),
  /** Since when it is held, ms. */
  since: z.number().int(),
});
export type Request = z.infer<typeof Request>;

export const Answer = z.strictObject({
  /** `pending.id` of what is answered; without it the oldest. Another one by now: 409. */
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
  behavior: z.enum(['allow', 'deny']),
});
export type Answered = z.infer<typeof Answered>;

export const SetApprovals = z.strictObject({ approvals: Approvals });
export type SetApprovals = z.infer<typeof SetApprovals>;
