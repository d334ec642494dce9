/** `drover fleet broker`, where the broker runs on another machine. */
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { publicKeyOf } from '../../fleet/keys.ts';
import {
  runBrokerCommand,
  type BrokerStatus,
  brokerRequestOf,
  configureRemoteBroker,
} from '../../fleet/broker/remote-broker.ts';
import type { BrokerHost, Membership } from '../../fleet/membership.ts';
import { Roster } from '../../fleet/roster.ts';
import { type Call, flag } from '../verb.ts';
import { brokerText } from './broker-text.ts';

/** Runs the action there over SSH, and shows how this machine reaches the broker. */
export const runAtRemoteBroker = async (
  call: Call,
  membership: Membership,
  on: BrokerHost,
  action: 'status' | 'start' | 'stop',
): Promise<number> => {
  const { env, paths } = call;
  await ensureDaemon(paths, env);
  if (action === 'start') await restoreRemoteBroker(call, membership, on);
  let there: BrokerStatus | null = null;
  let why = '';
  try {
    there = await runBrokerCommand(on, action, env);
  } catch (error) {
    if (action !== 'status') throw error;
    why = (error as Error).message;
  }
  const { brokerHost, connection } = await ask(paths, 'readFleet');
  if (flag(call, 'json')) call.out(JSON.stringify({ on: on.destination, there, brokerHost, connection }));
  else {
    call.out(`The broker is on ${on.destination}, and this machine is the admin.`);
    call.out(there ? `There: ${brokerText(there)}` : `There: unknown. ${why}`);
    if (there) call.out(`       Log: ${there.log}`);
    const { port, listen } = membership.broker ?? { port: 0, listen: '' };
    const state = brokerHost?.tunnel === 'up' ? 'up' : 'down';
    call.out(`Tunnel: ${state}, from ${listen}:${port} here to port ${on.port} there`);
    if (brokerHost?.problem) call.out(brokerHost.problem);
  }
  return there?.pid || action === 'stop' ? 0 : 1;
};

/** Makes the broker again if it is gone, and sends it the logins. */
const restoreRemoteBroker = async (
  { paths, env }: Call,
  membership: Membership,
  on: BrokerHost,
): Promise<void> => {
  const fleetKey = publicKeyOf(membership.fleetKey);
  if (!fleetKey) throw new DroverError('bad_fleet');
  const { fleet } = membership;
  const members = (await Roster.open(fleet, fleetKey, paths.fleetRoster)).all();
  for (const purpose of ['new', 'update'] as const)
    await configureRemoteBroker(on, brokerRequestOf(paths, membership, members, purpose), {
      env,
      startsDaemon: purpose === 'new',
    });
};
