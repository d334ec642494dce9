/** The fleet in one line of `drover status`. */
import { fleetLabel } from '../../client/fleet-text.ts';
import type { FleetStatus } from '../../contract/fleet.ts';
import { otherHosts } from '../../contract/other-hosts.ts';
import { ago } from './format.ts';

export const fleetLine = (status: FleetStatus, now: number): string => {
  const { connection, since, servers, host, problem, hosts } = status;
  const role = host?.role ?? 'worker';
  const lasting = since === null ? '' : ` for ${ago(since, now)}`;
  const sees = role !== 'worker' && connection === 'connected';
  const waiting = hosts.reduce((sum, one) => sum + (one.state === 'online' ? (one.waiting ?? 0) : 0), 0);
  return [
    connection === 'unreachable'
      ? `UNREACHABLE${lasting}, tried ${servers.join(', ')}`
      : `${connection}${lasting}${servers.length > 0 ? `, ${servers.join(', ')}` : ''}`,
    `${host?.name ?? 'this host'} is ${role === 'admin' ? 'an' : 'a'} ${role}`,
    ...(sees ? [fleetLabel({ ...status, hosts: otherHosts(hosts) })] : []),
    ...(sees && waiting > 0 ? [`${waiting} waiting on other hosts`] : []),
    ...(problem === null ? [] : [`PROBLEM: ${problem}`]),
  ].join(', ');
};
