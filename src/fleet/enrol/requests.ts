/** Requests of hosts to an admin, and its answers. */
import * as z from 'zod';
import { HostId } from '../../contract/fleet.ts';

export const JoinRequest = z.looseObject({
  action: z.literal('join'),
  admin: HostId,
  invitation: z.string().max(100),
  key: z.string().max(200),
  /** Its public key at our own broker. */
  login: z.string().max(100).nullable(),
  name: z.string().max(200),
  proof: z.string().max(100),
});
export type JoinRequest = z.infer<typeof JoinRequest>;

export const LeaveRequest = z.looseObject({ action: z.literal('leave') });

export const EnrolRequest = z.discriminatedUnion('action', [JoinRequest, LeaveRequest]);

/** Signed by the fleet, for one host. */
export const Joined = z.looseObject({
  to: HostId,
  /** Why it was refused; null when it was done. */
  refusal: z.enum(['unknown', 'used', 'expired', 'wrong', 'failed']).nullable(),
  /** More about a refusal. */
  why: z.string().max(500).nullable().optional(),
  /** The signed entries of all members, base64. */
  entries: z.array(z.string()),
});
export type Joined = z.infer<typeof Joined>;
