/** `drover fleet broker`: shows, starts and stops the broker of this machine. */
import { DroverError } from '../../contract/error.ts';
import { brokerPid, isStoppedByHand, startBroker, stopBroker } from '../../fleet/broker/broker-process.ts';
import { brokerFiles } from '../../fleet/broker/broker-config.ts';
import { findNatsServer } from '../../fleet/broker/nats-server.ts';
import { readMembership } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, unknownAction } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const [action = 'status'] = call.args;
  if (!['status', 'start', 'stop'].includes(action)) throw unknownAction(call, `broker ${action}`);
  const { paths, env } = call;
  const membership = readMembership(paths);
  if (!membership) throw new DroverError('not_joined');
  const { broker } = membership;
  if (!broker)
    throw new DroverError(
      'refused',
      `This machine runs no broker: the fleet uses ${membership.servers.join(', ')}.`,
      'Run this on the machine where the fleet was made.',
    );
  const folder = paths.fleetBroker;
  if (action !== 'status') refuseInside(call);
  if (action === 'start') await startBroker({ folder, ...broker }, env);
  if (action === 'stop') await stopBroker(folder, true);
  const pid = brokerPid(folder);
  const { version } = await findNatsServer(env);
  const { listen, port } = broker;
  const { log, data } = brokerFiles(folder);
  if (flag(call, 'json')) {
    const isStopped = isStoppedByHand(folder);
    call.out(
      JSON.stringify({ pid, running: pid !== null, stopped: isStopped, listen, port, version, log, data }),
    );
  } else if (pid !== null) call.out(`Running: nats-server ${version} at ${listen}:${port} (pid ${pid})`);
  else
    call.out(
      isStoppedByHand(folder)
        ? 'Stopped. `drover fleet broker start` starts it; until then the hosts work on their own.'
        : 'Not running. The daemon starts it; `drover fleet broker start` does so now.',
    );
  if (!flag(call, 'json')) call.out(`Log: ${log}`);
  return pid === null && action !== 'stop' ? 1 : 0;
};
