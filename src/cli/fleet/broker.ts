/** `drover fleet broker`: shows, starts and stops the broker of this machine, or its own one on another machine. */
import { DroverError } from '../../contract/error.ts';
import { brokerFiles } from '../../fleet/broker/broker-config.ts';
import {
  type BrokerPlace,
  brokerPid,
  isStoppedByHand,
  startBroker,
  stopBroker,
} from '../../fleet/broker/broker-process.ts';
import { placeOf, readHosted } from '../../fleet/broker/hosted-broker.ts';
import { findNatsServer } from '../../fleet/broker/nats-server.ts';
import type { BrokerStatus } from '../../fleet/broker/remote-broker.ts';
import { readMembership } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, unknownAction } from '../verb.ts';
import { runAtRemoteBroker } from './run-at-remote-broker.ts';
import { hostBrokerFromInput, removeHostedBroker } from './broker-host.ts';
import { brokerText } from './broker-text.ts';

const actions = ['status', 'start', 'stop', 'host', 'remove'] as const;
type Action = (typeof actions)[number];

export const run = async (call: Call): Promise<number> => {
  const [given = 'status', fleet] = call.args;
  const action = actions.find(one => one === given);
  if (!action || (fleet !== undefined && action !== 'remove'))
    throw unknownAction(call, `broker ${call.args.join(' ')}`);
  if (action !== 'status') refuseInside(call);
  if (action === 'host') return hostBrokerFromInput(call);
  if (action === 'remove') return removeHostedBroker(call, fleet ?? null);
  const membership = readMembership(call.paths);
  if (membership?.broker?.on) return runAtRemoteBroker(call, membership, membership.broker.on, action);
  return atOwnBroker(call, action, brokerPlace(call));
};

/** The broker of this machine's own fleet, or the one that it runs for another. */
const brokerPlace = ({ paths }: Call): BrokerPlace => {
  const membership = readMembership(paths);
  if (membership?.broker) return { folder: paths.fleetBroker, ...membership.broker };
  const hosted = readHosted(paths);
  if (hosted) return placeOf(paths, hosted);
  if (!membership) throw new DroverError('not_joined');
  throw new DroverError(
    'refused',
    `This machine runs no broker: the fleet uses ${membership.servers.join(', ')}.`,
    'Run this on the machine where the fleet was made.',
  );
};

const atOwnBroker = async (
  call: Call,
  action: Exclude<Action, 'host' | 'remove'>,
  place: BrokerPlace,
): Promise<number> => {
  const { folder, listen, port, program } = place;
  if (action === 'start') await startBroker(place, call.env);
  if (action === 'stop') await stopBroker(folder, true);
  const pid = brokerPid(folder);
  const { version } = await findNatsServer(call.env, program);
  const { log, data } = brokerFiles(folder);
  const stopped = isStoppedByHand(folder);
  const status: BrokerStatus = { pid, running: pid !== null, stopped, listen, port, version, log, data };
  if (flag(call, 'json')) call.out(JSON.stringify(status));
  else {
    const hosted = folder === call.paths.hostedBroker ? readHosted(call.paths) : null;
    if (hosted) call.out(`For the fleet of ${hosted.admin.name}, which enrols and revokes its hosts.`);
    call.out(brokerText(status));
    call.out(`Log: ${log}`);
  }
  return pid === null && action === 'status' ? 1 : 0;
};
