/** Several machines with one queue: what a host publishes about itself and its sessions, and what a person reads of the fleet. */
import * as z from 'zod';
import { rights } from './rights.ts';
import { Deferral, OutcomeKind, Reason, SessionLimit, Stall, State, TitleFrom } from './session.ts';

/** What a member may do in the fleet. A `worker` is seen and driven, a `seat` also sees and drives others, an `admin` also enrols and revokes hosts. */
export const FleetRole = z.enum(['worker', 'seat', 'admin']);
export type FleetRole = z.infer<typeof FleetRole>;

/** What a host lets another one do: the same rights that tokens have. */
export const AcceptedRights = z.array(z.enum(rights));
export type AcceptedRights = z.infer<typeof AcceptedRights>;

/** The id of a host: 16 base32 characters of its key's hash. */
export const HostId = z.string().regex(/^[a-z2-7]{16}$/, 'is not a host id');

/** The name of a host: a label that is unique in the fleet. */
export const HostName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'is not a host name');

/** A member of the fleet, as the admin signed it. */
export const RosterEntry = z.object({
  host: HostId,
  name: HostName,
  /** Its public key, base64. */
  key: z.string(),
  /** Its public key at our own broker; null where the broker has accounts of its own. */
  login: z.string().nullable(),
  role: FleetRole,
  isRevoked: z.boolean(),
  /** Number of this version of the entry: the highest one counts. */
  revision: z.number().int(),
  at: z.number().int(),
});
export type RosterEntry = z.infer<typeof RosterEntry>;

/** Row of a session on the broker. It holds no request, prompt, screen or payload: those are fetched from the session's host. */
export const FleetRow = z.looseObject({
  /** The id on that host. Only these characters, because it becomes part of ids and commands. */
  session: z.string().regex(/^[A-Za-z0-9_-]{6,128}$/),
  /** Identifies the log that `seq` belongs to. */
  epoch: z.string(),
  seq: z.number().int(),
  /** The session was forgotten: remove it. */
  isGone: z.boolean().optional(),
  state: State,
  /** A newer drover may know more of them: the session is shown all the same. */
  reason: Reason.nullable().catch(null),
  /** Whether it asks, without the sentence. A drover from before has none. */
  outcome: OutcomeKind.nullable().catch(null).default(null),
  since: z.number().int(),
  touched: z.number().int(),
  project: z.string().nullable(),
  /** Null where the host shares states only. */
  title: z.string().nullable(),
  titleFrom: TitleFrom.catch('project'),
  branch: z.string().nullable(),
  worktree: z.boolean(),
  version: z.string().nullable(),
  permissionMode: z.string().nullable(),
  headless: z.boolean(),
  parked: z.boolean(),
  managed: z.boolean(),
  limit: SessionLimit.nullable(),
  stalled: Stall.nullable(),
  deferral: Deferral.nullable(),
  /** How many requests are open. */
  requests: z.number().int(),
  /** When Claude Code denies one of them by itself; an older drover does not say. */
  deadline: z.number().int().nullable().default(null),
  /** How many calls of its last turn were denied. */
  denied: z.number().int().min(0).default(0),
});
export type FleetRow = z.infer<typeof FleetRow>;

/** Later times of other hosts are not believed, ms: half of what a date can have. */
export const latestTime = 4e15;

/** A time by the clock of a host, ms: the difference of two is still one that a date can show. */
const HostTime = z.number().int().min(0).max(latestTime);

/** How many of its sessions: a number below 0 would hide those of others. */
const HostCount = z.number().int().min(0);

/** A heartbeat of a host, every 10 s and when the number of its waiting sessions changes. */
export const HostCard = z.looseObject({
  host: HostId,
  name: z.string(),
  epoch: z.string(),
  /** One word: people see it in lists. */
  version: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  /** Identifies one run of its daemon. */
  instance: z.string(),
  /** When that run began, by its own clock. */
  startedAt: HostTime,
  /** Its clock when it signed this, ms. */
  clock: HostTime,
  /** Number of this card in that run: the clock may be set back. An older drover does not say. */
  number: z.number().int().optional(),
  /** The last event in its log. */
  seq: z.number().int(),
  waiting: HostCount,
  working: HostCount,
  sessions: HostCount,
  /** It is stopping, and away from now on. */
  isLeaving: z.boolean().optional(),
});
export type HostCard = z.infer<typeof HostCard>;

/** A host as `drover fleet ls` shows it. */
export const FleetHost = z.object({
  id: z.string(),
  name: z.string(),
  role: FleetRole,
  /** `not-shown`: this machine is a worker, which does not read the others. */
  state: z.enum(['here', 'online', 'away', 'never-seen', 'not-shown', 'revoked']),
  seenAt: z.number().int().nullable(),
  version: z.string().nullable(),
  /** By how much its clock is ahead of ours, ms. */
  skew: z.number().int().nullable(),
  sessions: z.number().int().nullable(),
  waiting: z.number().int().nullable(),
  working: z.number().int().nullable(),
  /** What this machine accepts from it. */
  accepts: AcceptedRights,
  /** How to reach it over SSH. */
  ssh: z.string().nullable(),
  /** Whether this machine keeps an SSH tunnel to it, and whether that is up. */
  tunnel: z.enum(['none', 'up', 'down']),
  /** What is wrong with it, such as a copied home. */
  problem: z.string().nullable(),
});
export type FleetHost = z.infer<typeof FleetHost>;

export const FleetStatus = z.object({
  isJoined: z.boolean(),
  fleet: z.string().nullable(),
  host: z.object({ id: z.string(), name: z.string(), role: FleetRole }).nullable(),
  connection: z.enum(['none', 'connecting', 'connected', 'unreachable', 'refused']),
  /** When it came into this state, ms. */
  since: z.number().int().nullable(),
  /** The broker that is connected, or the ones that are tried. */
  servers: z.array(z.string()),
  brokerVersion: z.string().nullable(),
  /** Another machine that runs the broker for this one, and the SSH tunnel to it. */
  brokerHost: z
    .object({
      destination: z.string(),
      tunnel: z.enum(['up', 'down']),
      /** What is wrong with the tunnel or with the logins at the broker. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Why it is not connected, or does not publish. */
  problem: z.string().nullable(),
  hosts: z.array(FleetHost),
  /** Messages without a valid signature, from unknown or revoked hosts, too large, expired or repeated, and refused tokens. */
  rejected: z.number().int(),
  published: z.number().int(),
  received: z.number().int(),
});
export type FleetStatus = z.infer<typeof FleetStatus>;

/** What streams report about the fleet besides its sessions: whether it can be reached, and which other hosts are online. */
export const FleetSummary = FleetStatus.pick({ connection: true, since: true, problem: true }).extend({
  hosts: z.array(
    z.object({
      name: z.string(),
      isAway: z.boolean(),
      /** The last heartbeat of a host that is away, ms; null: none yet, or it is online. */
      seenAt: z.number().int().nullable(),
    }),
  ),
});
export type FleetSummary = z.infer<typeof FleetSummary>;

/** What an invitation allows. */
export const Invite = z.object({
  role: z.enum(['worker', 'seat']).default('worker'),
  /** What the new host lets this machine do there. */
  rights: AcceptedRights.default(['read', 'queue']),
  /** The name of the new host; null: it chooses its own. */
  name: HostName.nullable().default(null),
  /** Its port of loopback that leads to the broker: the end of a tunnel, or the broker itself. */
  tunnelPort: z.number().int().min(1).max(65_535).nullable().default(null),
});
export type Invite = z.infer<typeof Invite>;

export const Invitation = z.object({
  /** `drover-fleet-1.…`: a secret, which can be used once. */
  token: z.string(),
  id: z.string(),
  expiresAt: z.number().int(),
  /** Where the new host will look for the broker. */
  servers: z.array(z.string()),
});
export type Invitation = z.infer<typeof Invitation>;

export const Revoked = z.object({
  id: z.string(),
  name: z.string(),
  /** False: the broker cannot be reached, so the other hosts learn of it later. */
  isPublished: z.boolean(),
});
export type Revoked = z.infer<typeof Revoked>;
