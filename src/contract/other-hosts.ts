/** The other hosts of a fleet, as lists name them. */
import type { FleetHost, FleetSummary } from './fleet.ts';

export const otherHosts = (hosts: FleetHost[]): FleetSummary['hosts'] =>
  hosts.flatMap(({ name, state, seenAt }) => {
    if (state === 'here' || state === 'revoked') return [];
    const isAway = state !== 'online';
    return { name, isAway, seenAt: isAway ? seenAt : null };
  });
