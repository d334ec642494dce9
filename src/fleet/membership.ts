/** This machine's membership in a fleet: `fleet/fleet.json` in DROVER_HOME, readable by its user only. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { DroverError } from '../contract/error.ts';
import { AcceptedRights, FleetRole, HostId, HostName } from '../contract/fleet.ts';
import type { Paths } from '../paths.ts';
import { writePrivate } from '../files/private-file.ts';

const StoredKey = z.object({ public: z.string(), secret: z.string() });

/** How this machine signs in to the broker. */
export const Login = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** At our own broker: the seed of this host's key there. */
  z.object({ kind: z.literal('nkey'), seed: z.string() }),
  z.object({ kind: z.literal('creds'), text: z.string() }),
  z.object({ kind: z.literal('password'), user: z.string(), password: z.string() }),
]);
export type Login = z.infer<typeof Login>;

/** How to run drover on another host over SSH: from the enrolment, never from anything that the host publishes. */
export const SshPlace = z.object({
  /** `user@host`, or a name of the SSH config. */
  destination: z.string().regex(/^[A-Za-z0-9_.@][A-Za-z0-9_.@-]*$/, 'is not an SSH destination'),
  node: z.string(),
  main: z.string(),
  /** DROVER_HOME there, where it is not the usual one. */
  home: z.string().nullable(),
  /** Options for ssh, such as `-p 2222`, from the person who enrolled it. */
  options: z.array(z.string()).default([]),
  /** This machine keeps a tunnel: the port there that leads to the broker here. */
  tunnelPort: z.number().int().nullable(),
});
export type SshPlace = z.infer<typeof SshPlace>;

/** A machine that runs the broker for this one. */
export const BrokerHost = SshPlace.omit({ tunnelPort: true }).extend({
  /** nats-server there. */
  program: z.string(),
  /** The port of its loopback on which the broker listens. */
  port: z.number().int(),
});
export type BrokerHost = z.infer<typeof BrokerHost>;

/** Our own broker. */
export const OwnBroker = z.object({
  /** Address and port on this machine: of the broker, or of the tunnel to it. */
  listen: z.string(),
  port: z.number().int(),
  /** Null where the broker runs on this machine. */
  on: BrokerHost.nullable().default(null),
  /** The public key of the login that invitations carry, which may only ask to join. */
  inviteLogin: z.string(),
  inviteSeed: z.string(),
});
export type OwnBroker = z.infer<typeof OwnBroker>;

export const Membership = z.looseObject({
  version: z.literal(1),
  /** The id of the fleet, from the hash of its key. */
  fleet: HostId,
  fleetKey: z.string(),
  /** Only an admin has the secret key of the fleet. */
  fleetSecret: z.string().nullable(),
  host: z.object({ id: HostId, name: HostName, key: StoredKey }),
  role: FleetRole,
  servers: z.array(z.string()).min(1),
  /** The certificate of our own broker, PEM: no other one is accepted. */
  certificate: z.string().nullable(),
  /** Certificates of authorities for a broker of others, PEM; those of the system if null. */
  authorities: z.string().nullable().default(null),
  login: Login,
  replicas: z.number().int().min(1).max(5).default(1),
  /** `states`: rows have neither title nor branch. */
  share: z.enum(['all', 'states']).default('all'),
  /** What other hosts may do here, by id. Seats that are not listed may read and queue. */
  accept: z.record(HostId, AcceptedRights).default({}),
  ssh: z.record(HostId, SshPlace).default({}),
  broker: OwnBroker.nullable().default(null),
  /** Where this membership belongs, so that a copy of the folder is recognised. */
  machine: z.object({ id: z.string(), home: z.string() }),
});
export type Membership = z.infer<typeof Membership>;

export const hasJoined = (paths: Paths): boolean => existsSync(paths.fleetFile);

/** Returns the membership; null when this machine is not in a fleet. Throws `bad_fleet` when the file is damaged. */
export const readMembership = (paths: Paths): Membership | null => {
  let text: string;
  try {
    text = readFileSync(paths.fleetFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return Membership.parse(JSON.parse(text));
  } catch (error) {
    throw new DroverError(
      'bad_fleet',
      `${paths.fleetFile} cannot be read: ${(error as Error).message.slice(0, 300)}`,
    );
  }
};

export const writeMembership = (paths: Paths, membership: Membership): void => {
  mkdirSync(paths.fleet, { recursive: true, mode: 0o700 });
  writePrivate(paths.fleetFile, `${JSON.stringify(membership, null, 2)}\n`);
};

/** Changes the membership on disk; returns it. */
export const changeMembership = (
  paths: Paths,
  change: (membership: Membership) => Membership,
): Membership => {
  const membership = readMembership(paths);
  if (!membership) throw new DroverError('not_joined');
  const changed = Membership.parse(change(membership));
  writeMembership(paths, changed);
  return changed;
};

/** What this machine accepts from a host: what was set for it; by default, read and queue for seats and admins. */
export const acceptedFrom = (
  { accept }: Pick<Membership, 'accept'>,
  host: string,
  role: FleetRole,
): AcceptedRights => (role === 'worker' ? [] : (accept[host] ?? ['read', 'queue']));
