/** Our own broker on another machine: what this machine, the admin, does there over SSH. */
import { readFileSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import type { RosterEntry } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import type { BrokerHost, Membership } from '../membership.ts';
import { runDrover, type RunDroverOptions } from '../ssh/run-drover.ts';
import type { Tunnel } from '../ssh/ssh-command.ts';
import { brokerFiles } from './broker-config.ts';
import { localAddressOf } from './broker-process.ts';
import { usersOf } from './broker-users.ts';
import type { BrokerRequest } from './hosted-broker.ts';

/** What `drover fleet broker status --json` prints. */
export interface BrokerStatus {
  pid: number | null;
  running: boolean;
  stopped: boolean;
  listen: string;
  port: number;
  version: string | null;
  log: string;
  data: string;
}

/** The settings of the broker there, with these members. They are complete, so the broker can be made again from them. */
export const brokerRequestOf = (
  paths: Pick<Paths, 'fleetBroker'>,
  membership: Pick<Membership, 'fleet' | 'host' | 'broker'>,
  members: RosterEntry[],
  purpose: BrokerRequest['purpose'],
): BrokerRequest => {
  const { fleet, host } = membership;
  const { port, program } = brokerHostOf(membership);
  const files = brokerFiles(paths.fleetBroker);
  return {
    version: 1,
    purpose,
    fleet,
    admin: { id: host.id, name: host.name },
    port,
    program,
    key: readFileSync(files.key, 'utf8'),
    certificate: readFileSync(files.certificate, 'utf8'),
    users: usersOf(membership, members),
  };
};

/** Makes or changes the broker there. The settings go through standard input, because they contain the broker's key. */
export const configureRemoteBroker = async (
  on: BrokerHost,
  request: BrokerRequest,
  options: Pick<RunDroverOptions, 'env' | 'isUnattended' | 'startsDaemon'>,
): Promise<void> => {
  const ms = request.purpose === 'new' ? limits.fleet.sshJoin : limits.fleet.sshUsers;
  const input = JSON.stringify(request);
  await runDrover(on, ['fleet', 'broker', 'host'], { ...options, input, ms });
};

/** Removes the broker there. */
export const removeRemoteBroker = async (on: BrokerHost, fleet: string, env: Env): Promise<void> => {
  await runDrover(on, ['fleet', 'broker', 'remove', fleet], { env, ms: limits.fleet.sshProbe });
};

/** Runs the action on the broker there and returns its status. */
export const runBrokerCommand = (
  on: BrokerHost,
  action: 'status' | 'start' | 'stop',
  env: Env,
): Promise<BrokerStatus> =>
  runDrover<BrokerStatus>(on, ['fleet', 'broker', action], { env, ms: limits.fleet.sshProbe });

/** The tunnel from the port here to the broker there; null for a broker that runs here. */
export const tunnelTo = ({ broker }: Pick<Membership, 'broker'>): Tunnel | null =>
  broker?.on
    ? {
        leads: 'there',
        there: broker.on.port,
        here: { address: localAddressOf(broker.listen), port: broker.port },
      }
    : null;

const brokerHostOf = ({ broker }: Pick<Membership, 'broker'>): BrokerHost => {
  if (broker?.on) return broker.on;
  throw new DroverError('refused', 'The broker of this fleet does not run on another machine.');
};
