/** Open requests, and the answers to them. */
import * as z from 'zod';
import { PlainText } from './plain-text.ts';
import { Approvals, OpenRequest } from './session.ts';

/** An open request in full. */
export const Request = OpenRequest.extend({
  /**
   * The complete input of the tool as the CLI gave it: the command, the questions with their options, the plan. Null where
   * there is none, or the log no longer has it.
   */
  input: z.record(z.string(), z.unknown()).nullable(),
  /** Whether `remember` has an effect. */
  rememberable: z.boolean(),
  /** Since when it is held, ms; null when it is not held. */
  since: z.number().int().nullable().optional(),
});
export type Request = z.infer<typeof Request>;

/** A request whose hook waits for the answer. */
export const HeldRequest = Request.extend({
  kind: z.enum(['permission', 'question', 'plan']),
  until: z.number().int(),
});
export type HeldRequest = z.infer<typeof HeldRequest>;

/** How an answer reaches a request: through the hook that waits for it, by keys in its dialog, or not at all. */
export const AnswerWay = z.enum(['hook', 'screen', 'none']);
export type AnswerWay = z.infer<typeof AnswerWay>;

/** One thing that can be answered to a request. */
export const Choice = z.object({
  /** What `choice` of an answer names, such as `allow`, `allow_always`, `deny`, `plan:default`, `startup:1`. */
  choice: z.string(),
  /** What a person reads. */
  label: z.string(),
  /** `answer`: it takes the answers or the values of a form. */
  effect: z.enum(['allow', 'deny', 'answer']),
  /** For `allow_always`: exactly what is allowed from then on. */
  rule: z.string().optional(),
  /** Whether it takes a `message` for the model. */
  takesMessage: z.boolean().optional(),
  /** For `accept`: the fields of the form, each with a text or a number, or with one of its `options`. */
  fields: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        isRequired: z.boolean(),
        options: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** What the choice will do. A person must confirm this sentence; the answer then has `confirmed`. */
  confirm: z.string().optional(),
});
export type Choice = z.infer<typeof Choice>;

/** An open request in full, with everything that can be answered to it. */
export const RequestPage = Request.extend({
  way: AnswerWay,
  choices: z.array(Choice),
  /** Why it cannot be answered from here. */
  why: z.string().optional(),
});
export type RequestPage = z.infer<typeof RequestPage>;

/** Why a request is no longer held: answered through Drover, answered in the terminal, timed out, or its hook is gone. */
export const ReleasedBy = z.enum(['answer', 'terminal', 'deadline', 'gone']);
export type ReleasedBy = z.infer<typeof ReleasedBy>;

/** The same, or Claude Code denied it because nobody answered in time. */
export const PastBy = z.enum([...ReleasedBy.options, 'claude']);

/** A request that is closed, or that Drover can no longer answer. */
export const PastRequest = z.object({
  id: z.number().int(),
  line: z.string(),
  /** When that happened, ms. */
  at: z.number().int(),
  by: PastBy,
  /** The decision; null when it is not known. */
  behavior: z.enum(['allow', 'deny']).nullable(),
});
export type PastRequest = z.infer<typeof PastRequest>;

/** The answer to a question: a label, several labels, or free text. */
export const AnswerText = z.union([PlainText, z.array(PlainText).min(1)]);

export const Answer = z.strictObject({
  id: z
    .number()
    .int()
    .optional()
    .describe('The id of the request. Optional only while exactly one request is open.'),
  choice: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("One of the request's `choices`. It replaces `behavior` and `remember`."),
  confirmed: z
    .boolean()
    .optional()
    .describe('A person has confirmed the sentence in `confirm` of the choice.'),
  behavior: z
    .enum(['allow', 'deny'])
    .optional()
    .describe('For a permission or a plan; `deny` declines a question too.'),
  message: PlainText.min(1).optional().describe('With `deny`: the message to the model.'),
  interrupt: z.boolean().optional().describe('With `deny`: the turn ends.'),
  updated_input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('With `allow`: the tool runs with this input instead.'),
  remember: z.boolean().optional().describe('With `allow`: like "and don\'t ask again" in the dialog.'),
  answers: z
    .record(z.string(), AnswerText)
    .optional()
    .describe('For questions: each by its text or header, with a label, several labels, or free text.'),
  values: z
    .record(z.string(), z.union([PlainText, z.number(), z.boolean(), z.array(PlainText)]))
    .optional()
    .describe('For the form of an MCP server, with the choice `accept`: a value for each field.'),
});
export type Answer = z.infer<typeof Answer>;

/** What was answered. */
export const Answered = z.object({
  id: z.number().int(),
  tool: z.string().nullable(),
  /** What was answered, in one line. */
  line: z.string(),
  behavior: z.enum(['allow', 'deny']),
  /** The choice that was made. */
  choice: z.string(),
  way: AnswerWay.exclude(['none']),
  /** By the screen: how long the dialog did not accept keys yet, ms. */
  waited: z.number().int().optional(),
  /** SHA-256 of the input that was answered, as JSON. */
  inputHash: z.string(),
});
export type Answered = z.infer<typeof Answered>;

/** Which sessions are held now. */
export const HeldSessions = z.object({ approvals: Approvals, sessions: z.number().int() });
export type HeldSessions = z.infer<typeof HeldSessions>;

export const SetApprovals = z.strictObject({ approvals: Approvals });
export type SetApprovals = z.infer<typeof SetApprovals>;
