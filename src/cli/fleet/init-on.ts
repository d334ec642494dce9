/** `drover fleet init --on`: creates a fleet whose broker runs on another machine. */
import { rmSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import type { FleetStatus } from '../../contract/fleet.ts';
import { otherFleetError } from '../../fleet/broker/hosted-broker.ts';
import { initOnHost, cleanUpBroker } from '../../fleet/enrol/init-on-host.ts';
import type { BrokerHost, Membership } from '../../fleet/membership.ts';
import { findDrover, type Place } from '../../fleet/ssh/find-drover.ts';
import type { SshTarget } from '../../fleet/ssh/ssh-command.ts';
import { type Call, flag } from '../verb.ts';
import { confirmChange } from './confirm-change.ts';
import { reload, reloadAndConnect } from './reload.ts';

/** Returns null if the person declines. */
export const initOn = async (
  call: Call,
  target: SshTarget,
  name: string,
  port: number | null,
): Promise<{ membership: Membership; status: FleetStatus } | null> => {
  const { destination } = target;
  const say = flag(call, 'json') ? call.err : call.out;
  say(`Looking for drover on ${destination} …`);
  const place = await findDrover(target, call.env);
  const on = brokerHostAt(target, place, port);
  for (const line of planText(place, on)) say(line);
  if (!(await confirmChange(call, 'init', `Create a fleet with its broker on ${destination}?`))) {
    call.err('Nothing was changed.');
    return null;
  }
  say(`Starting the broker on ${destination} …`);
  const membership = await initOnHost(call.paths, name, on, call.env);
  try {
    return { membership, status: await reloadAndConnect(call) };
  } catch (error) {
    const failure = await cleanUpBroker(on, membership.fleet, call.env, error);
    rmSync(call.paths.fleet, { recursive: true, force: true });
    await reload(call);
    throw new DroverError(
      'fleet_down',
      `The daemon here cannot reach the broker: ${lastSentence((failure as Error).message)}`,
      failure === error
        ? 'Both machines were cleaned up. The daemon needs ssh to work without questions: a key without a passphrase, or an agent.'
        : (failure as DroverError).hint,
    );
  }
};

const brokerHostAt = (
  { destination, options }: SshTarget,
  { node, main, home, natsServer, hosted, freePort }: Place,
  port: number | null,
): BrokerHost => {
  if (natsServer === undefined)
    throw new DroverError(
      'failed',
      `drover on ${destination} is too old to run a broker for another machine.`,
      'Update it there.',
    );
  if (natsServer === null)
    throw new DroverError(
      'no_nats_server',
      `nats-server is not installed on ${destination}.`,
      `Install it there, for example with \`ssh -t ${destination} sudo apt install nats-server\` or \`brew install nats-server\`, then run this again.`,
    );
  if (hosted?.isConfirmed) throw otherFleetError(hosted);
  return { destination, options, node, main, home, program: natsServer.path, port: port ?? freePort };
};

const planText = (
  { version, main, home, sessions, natsServer, fleet }: Place,
  { destination, port }: BrokerHost,
): string[] => [
  `Found   drover ${version} at ${main}`,
  ...(home === null ? [] : [`        its DROVER_HOME is ${home}`]),
  `        ${sessions === null ? 'its daemon is not running yet, and will be started' : `${sessions} live sessions`}`,
  `        nats-server ${natsServer?.version} at ${natsServer?.path}`,
  ...(fleet ? ['        it is in another fleet, and stays in it'] : []),
  `Will    make a fleet, with this machine as its admin`,
  `        run its broker there, on port ${port} of its loopback; its daemon keeps it running`,
  `        keep an SSH tunnel from this machine to the broker, while the daemon runs`,
  `Won't   copy the key of the fleet there: ${destination} can delay or drop messages, but not send commands`,
  `        list the sessions of ${destination}; \`drover fleet add ${destination}\` does that later`,
  `        install anything, or change ${destination} outside its DROVER_HOME`,
  `Undo    drover fleet leave here, which removes the broker there too`,
];

/** Leaves out what `reloadAndConnect` says about the fleet, which is not kept here. */
const lastSentence = (message: string): string =>
  message.split('its daemon is not connected: ').at(-1) ?? message;
