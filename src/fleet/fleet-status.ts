/** The fleet as a person reads it: the connection, and every host. */
import type { FleetHost, FleetStatus } from '../contract/fleet.ts';
import type { BrokerSupervisor } from './broker/supervise-broker.ts';
import type { Fleet } from './open-fleet.ts';
import type { Member } from './roster.ts';
import type { Tunnels } from './ssh/tunnels.ts';

export const statusOf = (
  fleet: Fleet | null,
  tunnels: Tunnels | null,
  supervisor: Pick<BrokerSupervisor, 'problem'> | null,
  now: number,
): FleetStatus => {
  if (!fleet)
    return {
      isJoined: false,
      fleet: null,
      host: null,
      connection: 'none',
      since: null,
      servers: [],
      brokerVersion: null,
      brokerHost: null,
      problem: null,
      hosts: [],
      rejected: 0,
      published: 0,
      received: 0,
    };
  const { membership, bus, roster, hosts, view, counts, problem, published } = fleet;
  const { id, name } = membership.host;
  const { connection, since, server, version } = bus.state;
  const brokerHost = tunnels?.brokerState() ?? null;
  const hostOf = (member: Member): FleetHost => {
    const known = hosts.get(member.host);
    const isHere = member.host === id;
    const card = isHere ? fleet.facts() : known?.card;
    return {
      id: member.host,
      name: member.name,
      role: member.role,
      state: stateOf(fleet, member),
      seenAt: isHere ? now : (known?.seenAt ?? null),
      version: card?.version ?? null,
      skew: known?.skew ?? null,
      sessions: card?.sessions ?? null,
      waiting: card?.waiting ?? null,
      working: card?.working ?? null,
      accepts: isHere ? [] : fleet.accepts(member),
      ssh: membership.ssh[member.host]?.destination ?? null,
      ...(tunnels?.stateOf(member.host) ?? { tunnel: 'none', problem: null }),
    };
  };
  return {
    isJoined: true,
    fleet: membership.fleet,
    host: { id, name: roster.get(id)?.name ?? name, role: membership.role },
    connection,
    since,
    servers: server === null ? membership.servers : [server],
    brokerVersion: version,
    brokerHost: brokerHost && { ...brokerHost, problem: brokerHost.problem ?? supervisor?.problem ?? null },
    problem,
    hosts: roster.all().map(hostOf),
    rejected: counts.rejected,
    published,
    received: view.counts.received,
  };
};

const stateOf = ({ membership, hosts }: Fleet, { host, isRevoked }: Member): FleetHost['state'] => {
  if (isRevoked) return 'revoked';
  if (host === membership.host.id) return 'here';
  // A worker does not read the other hosts.
  if (membership.role === 'worker') return 'not-shown';
  if (!hosts.get(host)) return 'never-seen';
  return hosts.isAway(host) ? 'away' : 'online';
};
