/** Enrolment in an admin's daemon: makes invitations, answers requests to join, and revokes hosts. */
import { DroverError } from '../../contract/error.ts';
import type { Invitation, Invite, Revoked, RosterEntry } from '../../contract/fleet.ts';
import type { BrokerSupervisor } from '../broker/supervise-broker.ts';
import { reachableServers } from '../broker/reachable-servers.ts';
import { secretKeyOf } from '../keys.ts';
import type { Membership } from '../membership.ts';
import type { Fleet } from '../open-fleet.ts';
import { writeInvitation } from './invitation.ts';
import { Invitations } from './invitations.ts';
import { removeHost, serveEnrolment } from './serve-enrolment.ts';

export interface OpenEnrolmentDeps {
  fleet: Fleet;
  membership: Membership;
  /** Where invitations are kept. */
  file: string;
  /** Gives a new member its login at the broker, and enrols it. */
  admit: BrokerSupervisor['admit'];
  now: () => number;
  onError: (message: string, error: unknown) => void;
}

export interface Enrolment {
  invite: (invite: Invite) => Invitation;
  revoke: (host: string) => Promise<Revoked>;
  close: () => void;
}

/** Null if this machine is not an admin. */
export const openEnrolment = (deps: OpenEnrolmentDeps): Enrolment | null => {
  const { fleet, membership, now, onError } = deps;
  const { host, fleetKey, certificate, authorities, replicas, broker, login } = membership;
  if (membership.fleetSecret === null) return null;
  const invitations = new Invitations(deps.file, now);
  const { bus, subjects, roster, counts } = fleet;
  const enrol = (entry: RosterEntry) => deps.admit(entry, () => fleet.enrol(entry));
  const close = serveEnrolment({
    bus,
    subjects,
    fleet: membership.fleet,
    host: host.id,
    fleetSecret: secretKeyOf(membership.fleetSecret),
    roster,
    invitations,
    enrol,
    isCopy: () => fleet.problem !== null,
    now,
    onRejected: () => void counts.rejected++,
    onError,
  });
  return {
    close,
    invite: ({ role, rights, name, tunnelPort }) => {
      // Only our own broker has a login that can do nothing but ask.
      if (!broker && login.kind === 'nkey')
        throw new DroverError('refused', 'Only the machine that runs the broker can make tokens.');
      const { id, secret, expiresAt } = invitations.add(role, name);
      const servers = tunnelPort !== null ? [`tls://127.0.0.1:${tunnelPort}`] : reachableServers(membership);
      const token = writeInvitation({
        fleet: membership.fleet,
        fleetKey,
        admin: { id: host.id, name: roster.get(host.id)?.name ?? host.name },
        servers,
        certificate,
        authorities,
        replicas,
        login: broker ? { kind: 'nkey', seed: broker.inviteSeed } : login,
        id,
        secret,
        role,
        rights,
        name,
      });
      return { token, id, expiresAt, servers };
    },
    revoke: async id => {
      const member = roster.get(id);
      if (!member) throw new DroverError('no_host');
      if (id === host.id)
        throw new DroverError('refused', 'This machine cannot revoke itself.', 'Run `drover fleet leave`.');
      const isPublished = await removeHost({ roster, enrol, now }, id);
      return { id, name: member.name, isPublished };
    },
  };
};
