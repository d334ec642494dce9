/** `drover fleet add`: enrols a machine over SSH. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { type AcceptedRights, type FleetHost, type FleetStatus } from '../../contract/fleet.ts';
import { localAddressOf } from '../../fleet/broker/broker-process.ts';
import { fingerprintOf } from '../../fleet/broker/read-fingerprint.ts';
import { isLoopback } from '../../fleet/broker-version.ts';
import {
  changeMembership,
  type Membership,
  type OwnBroker,
  readMembership,
  SshPlace,
} from '../../fleet/membership.ts';
import { findDrover, type Place } from '../../fleet/ssh/find-drover.ts';
import { runDrover } from '../../fleet/ssh/run-drover.ts';
import type { SshTarget, Tunnel } from '../../fleet/ssh/ssh-command.ts';
import { withTunnel } from '../../fleet/ssh/with-tunnel.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import { canAsk, choice } from '../output/question.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, text } from '../verb.ts';
import { mayText, rightsFrom } from './accepted-rights.ts';
import { checkedName, portFrom } from './init.ts';
import { confirmChange } from './confirm-change.ts';
import { brokerProblem, readStatus, reload } from './reload.ts';
import { targetFrom } from './ssh-target.ts';
import { isLocal, roleFrom } from './token.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  const target = targetFrom(call, call.args[0], portFrom(text(call, 'port')));
  const membership = await adminMembership(call);
  const role = roleFrom(call);
  const say = flag(call, 'json') ? call.err : call.out;
  say(`Looking for drover on ${target.destination} …`);
  const place = await findDrover(target, call.env, membership.broker?.on?.port);
  const isMember = place.fleet?.id === membership.fleet;
  if (place.fleet && !isMember)
    throw new DroverError(
      'already_joined',
      `${target.destination} is in another fleet.`,
      'Run `drover fleet leave` there first.',
    );
  const given = rightsFrom(call);
  if (isMember && given)
    throw new DroverError(
      'already_joined',
      `${target.destination} is already a member, and decides itself what this machine may do there.`,
      `Run \`drover fleet accept ${membership.host.name} ${given.join(',') || 'none'}\` there.`,
    );
  const plan: Plan = {
    target,
    place,
    role,
    rights: given ?? (flag(call, 'yes') || !canAsk() ? ['read', 'queue'] : null),
    name: checkedName(text(call, 'name') ?? place.name),
    ...portsFor(membership, place),
    here: membership.host.name,
  };
  for (const line of planText(plan, isMember)) say(line);
  const rights = isMember ? [] : (plan.rights ?? (await askRights(plan)));
  if (rights === null || !(await mayAdd(call, plan, rights))) {
    call.err('Nothing was changed.');
    return 1;
  }
  const host = place.fleet?.host ?? (await enrol(call, membership, plan, rights));
  const { destination, options } = target;
  const { node, main, home } = place;
  const stored = SshPlace.parse({ destination, node, main, home, options, tunnelPort: plan.tunnelPort });
  changeMembership(call.paths, before => ({
    ...before,
    ssh: { ...before.ssh, [host]: stored },
    broker: withPlace(before.broker, stored, place),
  }));
  await reload(call);
  say(`Waiting for ${plan.name} …`);
  const online = await waitUntilOnline(call, host, plan);
  if (flag(call, 'json')) call.out(JSON.stringify(online));
  else {
    call.out(`${online.name} is online with ${countText(online.sessions ?? 0, 'session')}.`);
    call.out(`Undo: drover fleet revoke ${online.name}   and there: drover fleet leave`);
  }
  return 0;
};

/** From now on the machine of the broker is also reached in the way that this command has found. */
const withPlace = (
  broker: OwnBroker | null,
  { destination, node, main, home, options }: SshPlace,
  { hosted, natsServer }: Place,
): OwnBroker | null => {
  if (!broker?.on || broker.on.destination !== destination || hosted?.port !== broker.on.port) return broker;
  const program = natsServer?.path ?? broker.on.program;
  return { ...broker, on: { ...broker.on, node, main, home, options, program } };
};

interface Plan {
  target: SshTarget;
  place: Place;
  role: 'worker' | 'seat';
  /** What this machine may do there; null: the person is asked. */
  rights: AcceptedRights | null;
  name: string;
  /** The port there that the tunnel forwards to the broker here; null if it reaches the broker without our tunnel. */
  tunnelPort: number | null;
  /** The port there at which it reaches the broker itself: it runs the broker, or has its own tunnel. */
  directPort: number | null;
  /** The name of this machine. */
  here: string;
}

/** Throws unless this machine can enrol others. */
const adminMembership = async (call: Call): Promise<Membership> => {
  const { connection, problem, brokerHost } = await readStatus(call);
  const membership = readMembership(call.paths);
  if (!membership) throw new DroverError('not_joined');
  if (membership.role !== 'admin')
    throw new DroverError('refused', 'Only an admin of the fleet can add hosts.');
  if (connection !== 'connected')
    throw new DroverError('fleet_down', brokerProblem(brokerHost) ?? problem ?? undefined);
  return membership;
};

/** How the machine reaches the broker. One that listens on loopback needs a tunnel, unless the machine already reaches it. */
const portsFor = (
  { broker, certificate }: Membership,
  { fleet, freePort, certificate: shown }: Place,
): Pick<Plan, 'tunnelPort' | 'directPort'> => {
  if (!broker || !isLoopback(broker.listen)) return { tunnelPort: null, directPort: null };
  if (broker.on && certificate !== null && shown === fingerprintOf(certificate))
    return { tunnelPort: null, directPort: broker.on.port };
  const known = fleet?.servers.find(isLocal);
  return { tunnelPort: known === undefined ? freePort : Number(new URL(known).port), directPort: null };
};

const planText = (
  { target, place, role, rights, name, tunnelPort, directPort, here }: Plan,
  isMember: boolean,
): string[] => {
  const { version, main, sessions, home } = place;
  const { destination } = target;
  return [
    `Found   drover ${version} at ${main}`,
    ...(home === null ? [] : [`        its DROVER_HOME is ${home}`]),
    `        ${sessions === null ? 'its daemon is not running yet' : countText(sessions, 'live session')}`,
    isMember
      ? `Will    save how to reach ${name}, already a member, over SSH`
      : `Will    enrol it as ${name}, a ${role}, so that its sessions are listed here`,
    ...(tunnelPort === null
      ? []
      : [`        keep an SSH tunnel from its port ${tunnelPort} to the broker here, while the daemon runs`]),
    ...(directPort === null
      ? []
      : [`        let it use the broker at its own port ${directPort}, without a tunnel of this machine`]),
    ...(role === 'worker' ? [`Won't   let ${name} see or drive this machine or any other`] : []),
    `${role === 'worker' ? '     ' : "Won't"}   copy keys, install anything, or change ${destination} outside its DROVER_HOME`,
    ...(role === 'worker'
      ? []
      : [`Note    as a seat, ${name} sees the sessions of all hosts; it drives only those that accept it`]),
    `Undo    drover fleet revoke ${name} here, drover fleet leave there`,
    ...(isMember
      ? []
      : [
          `Rights  ${rights ? `${here} ${mayText(rights)} on ${name}` : `you choose what ${here} may do on ${name}`}; \`drover fleet accept\` changes that there`,
        ]),
  ];
};

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const levels: [label: string, rights: AcceptedRights][] = [
  ['read and queue: see its sessions, requests and screens', ['read', 'queue']],
  ['also answer its permissions, questions and plans', ['read', 'queue', 'answer']],
  ['also drive: start, message, interrupt and stop its sessions', ['read', 'queue', 'answer', 'drive']],
];

/** Null: the person declined. */
const askRights = async ({ name }: Plan): Promise<AcceptedRights | null> => {
  const chosen = await choice(
    `What may this machine do on ${name}?`,
    levels.map(([label]) => label),
  );
  return levels.find(([label]) => label === chosen)?.[1] ?? null;
};

const mayAdd = (call: Call, { name, place }: Plan, rights: AcceptedRights): Promise<boolean> =>
  confirmChange(
    call,
    'add',
    place.fleet ? `Continue with ${name}?` : `Enrol ${name}? This machine ${mayText(rights)} there.`,
  );

/** Joins from there, with the token on its standard input. Returns the id of the new host. */
const enrol = async (
  call: Call,
  { broker }: Membership,
  { target, place, role, name, tunnelPort, directPort }: Plan,
  rights: AcceptedRights,
): Promise<string> => {
  const port = tunnelPort ?? directPort;
  const { token } = await ask(call.paths, 'inviteHost', { body: { role, rights, name, tunnelPort: port } });
  const tunnel: Tunnel | null =
    tunnelPort === null || !broker
      ? null
      : {
          leads: 'here',
          there: tunnelPort,
          here: { address: localAddressOf(broker.listen), port: broker.port },
        };
  try {
    const status = await withTunnel(target, tunnel, call.env, () =>
      runDrover<FleetStatus>({ ...place, ...target }, ['fleet', 'join', '-'], {
        env: call.env,
        input: `${token}\n`,
        ms: limits.fleet.sshJoin,
        startsDaemon: true,
      }),
    );
    if (status.host) return status.host.id;
    throw new Error('it does not say which host it is.');
  } catch (error) {
    throw new DroverError(
      'failed',
      `${name} could not join: ${(error as Error).message}`,
      'Its token expires within an hour.',
    );
  }
};

const waitUntilOnline = async (call: Call, id: string, { name }: Plan): Promise<FleetHost> => {
  let host: FleetHost | undefined;
  const isOnline = await pollUntil(
    async () => {
      const { hosts } = await ask(call.paths, 'readFleet');
      host = hosts.find(one => one.id === id);
      return host?.state === 'online' && host.tunnel !== 'down';
    },
    limits.fleet.connected,
    limits.fleet.broker.poll * 2,
  );
  if (isOnline && host) return host;
  throw new DroverError(
    'host_away',
    `${name} was enrolled, but has not come online: ${host?.problem ?? 'it sends no heartbeat'}.`,
    'The daemon keeps trying. `drover fleet ls` shows it; `drover fleet revoke` undoes this.',
  );
};
