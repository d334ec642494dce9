/** Checks the fleet for `drover doctor`: its broker, the other hosts and their clocks. */
import { existsSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import type { FleetHost, FleetStatus } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import { lengthText } from '../../session/request/past-text.ts';
import { version } from '../../version.ts';
import type { Check } from '../output/print-checks.ts';
import { ago } from '../output/format.ts';
import type { Call } from '../verb.ts';

/** Empty if this machine is not in a fleet and runs no broker for one. */
export const fleetChecks = async ({ paths }: Call): Promise<Check[]> => [
  ...(existsSync(paths.fleetFile) ? checksOf(await ask(paths, 'readFleet'), Date.now()) : []),
  ...(existsSync(paths.hostedBrokerFile) ? await checkHostedBroker(paths) : []),
];

/** The broker that this machine runs for another one. */
const checkHostedBroker = async (paths: Paths): Promise<Check[]> => {
  const [{ readHosted }, { brokerPid, isStoppedByHand }] = await Promise.all([
    import('../../fleet/broker/hosted-broker.ts'),
    import('../../fleet/broker/broker-process.ts'),
  ]);
  const hosted = readHosted(paths);
  const name = 'fleet broker';
  if (!hosted)
    return [
      {
        name,
        ok: false,
        says: `${paths.hostedBrokerFile} cannot be read`,
        fix: "run `drover fleet broker start` on the fleet's admin",
      },
    ];
  const whose = `runs here for the fleet of ${hosted.admin.name}`;
  if (brokerPid(paths.hostedBroker) !== null)
    return [{ name, ok: true, says: `${whose}, at port ${hosted.port} of loopback` }];
  return [
    isStoppedByHand(paths.hostedBroker)
      ? { name, ok: null, says: `${whose}, but was stopped with \`drover fleet broker stop\`` }
      : {
          name,
          ok: false,
          says: `${whose}, but is down`,
          fix: 'see `drover fleet broker start`, which says why',
        },
  ];
};

/** The checks of a status. */
export const checksOf = (status: FleetStatus, now: number): Check[] => {
  if (!status.isJoined)
    return [
      {
        name: 'fleet',
        ok: false,
        says: 'this machine is in a fleet, but the daemon has not opened it',
        fix: 'run `drover restart`; the log of the daemon says why',
      },
    ];
  // A worker sees no other host.
  const seen = status.host?.role === 'worker' || status.connection !== 'connected' ? [] : status.hosts;
  return [
    connection(status, now),
    ...checkRemoteBroker(status),
    ...hostProblems(status.hosts),
    ...checkAwayHosts(seen, now),
    ...checkClocks(seen),
    ...versions(seen),
  ];
};

const connection = (status: FleetStatus, now: number): Check => {
  const { connection: state, since, servers, brokerVersion, problem, hosts, rejected } = status;
  const name = 'fleet';
  const broker = servers.join(', ') || 'the broker';
  const lasting = since === null ? '' : ` for ${ago(since, now)}`;
  if (state === 'unreachable' || state === 'connecting')
    return {
      name,
      ok: state === 'unreachable' ? false : null,
      says: `${broker} ${state === 'unreachable' ? 'has been unreachable' : 'is being connected'}${lasting}${problem ? `: ${problem}` : ''}`,
      fix: 'see `drover fleet broker status`; sessions of this machine work without it',
    };
  if (state === 'refused')
    return {
      name,
      ok: false,
      says: `${broker} refuses this host${problem ? `: ${problem}` : ''}`,
      fix: 'update the broker, or join again with `drover fleet join`',
    };
  if (problem !== null) return { name, ok: false, says: problem, fix: 'see docs/guides/fleet.md' };
  const members = hosts.filter(({ state: one }) => one !== 'revoked').length;
  const dropped =
    rejected > 0
      ? `; ${rejected} ${rejected === 1 ? 'message' : 'messages'} rejected: not from a member, too large, expired or repeated`
      : '';
  return {
    name,
    ok: true,
    says: `connected to ${broker}${brokerVersion ? ` (NATS ${brokerVersion})` : ''}${lasting}, ${members} ${members === 1 ? 'host' : 'hosts'}${dropped}`,
  };
};

/** A broker on another machine, and the tunnel to it. */
const checkRemoteBroker = ({ brokerHost }: FleetStatus): Check[] => {
  if (!brokerHost) return [];
  const { destination, tunnel, problem } = brokerHost;
  return [
    {
      name: 'fleet broker',
      ok: tunnel === 'up' && problem === null,
      says: `runs on ${destination}; the tunnel is ${tunnel}${problem === null ? '' : `: ${problem}`}`,
      fix: `try \`ssh ${destination} true\`, which must ask nothing; then see \`drover fleet broker status\``,
    },
  ];
};

const hostProblems = (hosts: FleetHost[]): Check[] =>
  hosts.flatMap(({ name, problem, state }) =>
    problem === null || state === 'revoked'
      ? []
      : [{ name: 'fleet host', ok: false, says: `${name}: ${problem}`, fix: 'see `drover fleet ls`' }],
  );

/** Checks for hosts that are away. Not a failure: a host may be off on purpose. */
const checkAwayHosts = (hosts: FleetHost[], now: number): Check[] => {
  const away = hosts.flatMap(({ name, state, seenAt }) => {
    if (state === 'never-seen') return `${name} (never seen)`;
    return state === 'away' ? `${name} (${seenAt === null ? 'never seen' : ago(seenAt, now)})` : [];
  });
  return away.length === 0 ? [] : [{ name: 'fleet hosts', ok: null, says: `away: ${away.join(', ')}` }];
};

/** Ages are corrected, but commands and certificates depend on the time too. */
const checkClocks = (hosts: FleetHost[]): Check[] =>
  hosts
    .filter(({ state, skew }) => state === 'online' && Math.abs(skew ?? 0) >= limits.fleet.shownSkew)
    .map(({ name, skew }) => ({
      name: 'fleet clock',
      ok: false,
      says: `the clock of ${name} is ${lengthText(Math.abs(skew ?? 0))} ${(skew ?? 0) > 0 ? 'ahead of' : 'behind'} this one; ages are corrected`,
      fix: 'synchronize both clocks, for example with `timedatectl set-ntp true`',
    }));

const versions = (hosts: FleetHost[]): Check[] => {
  const others = hosts.filter(one => one.state === 'online' && one.version && one.version !== version);
  return others.length === 0
    ? []
    : [
        {
          name: 'fleet version',
          ok: null,
          says: `${others.map(one => `${one.name} runs ${one.version}`).join(', ')}; this is ${version}`,
        },
      ];
};
