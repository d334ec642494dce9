/** The audit: who did what to which session, when, from where, and with what result. */
import * as z from 'zod';
import { callerKinds } from './caller.ts';

export const AuditCaller = z.object({
  kind: z.enum(callerKinds),
  /** The token, the agent, the browser, or the service of the notification. */
  name: z.string().nullable(),
  /** The Claude Code session that the call came from inside of. */
  session: z.string().nullable(),
});
export type AuditCaller = z.infer<typeof AuditCaller>;

export const AuditEntry = z.object({
  /** The number of the event in the log. */
  seq: z.number().int(),
  at: z.number().int(),
  action: z.string(),
  sessionId: z.string().nullable(),
  caller: AuditCaller,
  /** The request that was answered: its id, its tool, and the sha256 of its input. */
  request: z
    .object({ id: z.number().int(), tool: z.string().nullable(), hash: z.string().nullable() })
    .nullable(),
  /** `ok`, or the code of the error. */
  result: z.string(),
  /** A description of the action; null once its event is gone. */
  text: z.string().nullable(),
  /** The message of the error; null once its event is gone. */
  message: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = z.object({ entries: z.array(AuditEntry) });
export type AuditPage = z.infer<typeof AuditPage>;
