/** `drover fleet ls`: lists the hosts of the fleet and shows the connection. */
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import type { FleetHost, FleetStatus } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import { columns } from '../output/columns.ts';
import { ago } from '../output/format.ts';
import { type Call, flag } from '../verb.ts';
import { brokerProblem } from './reload.ts';

export const run = async (call: Call): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  const status = await ask(call.paths, 'readFleet');
  if (flag(call, 'json')) {
    call.out(JSON.stringify(status));
    return 0;
  }
  if (!status.isJoined) throw new DroverError('not_joined');
  call.out(connectionText(status));
  const hosts = status.hosts.filter(({ state }) => state !== 'revoked');
  for (const line of columns([
    ['host', 'state', 'role', 'waiting', 'working', 'sessions', 'rights here', 'version', 'ssh'],
    ...hosts.map(cells),
  ]))
    call.out(line);
  for (const host of hosts)
    if (host.skew !== null && Math.abs(host.skew) >= limits.fleet.shownSkew)
      call.out(
        `The clock of ${host.name} is ${ago(Date.now() - Math.abs(host.skew))} ${host.skew > 0 ? 'ahead' : 'behind'}.`,
      );
  for (const { name, problem } of hosts) if (problem !== null) call.out(`${name}: ${problem}`);
  const problems = [brokerProblem(status.brokerHost), status.problem];
  for (const problem of problems) if (problem !== null) call.out(problem);
  return status.connection === 'connected' ? 0 : 1;
};

const connectionText = ({
  connection,
  since,
  servers,
  brokerVersion,
  brokerHost,
  host,
}: FleetStatus): string => {
  const where = brokerHost
    ? `the broker on ${brokerHost.destination} (tunnel ${brokerHost.tunnel}, ${servers.join(', ')})`
    : servers.join(', ');
  const who = host ? `${host.name} (${host.role})` : '';
  if (connection === 'connected') return `${who}, connected to ${where} (nats-server ${brokerVersion})`;
  const when = since === null ? '' : ` for ${ago(since)}`;
  return `${who}, fleet ${connection === 'connecting' ? 'connecting' : `${connection}${when}`}: ${where}`;
};

const cells = ({
  name,
  state,
  role,
  waiting,
  working,
  sessions,
  accepts,
  version,
  ssh,
  tunnel,
  seenAt,
}: FleetHost): string[] => [
  name,
  state === 'away' && seenAt !== null && seenAt > 0
    ? `away, seen ${ago(seenAt)} ago`
    : state.replace('-', ' '),
  role,
  ...[waiting, working, sessions].map(count => (count === null ? '-' : String(count))),
  state === 'here' ? '-' : accepts.join(',') || 'nothing',
  version ?? '-',
  [ssh, tunnel === 'none' ? null : `tunnel ${tunnel}`].filter(Boolean).join(', ') || '-',
];
