/** Makes the daemon read the membership again. */
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import type { FleetHost, FleetStatus } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import type { Call } from '../verb.ts';

export const reload = async ({ paths, env }: Call): Promise<void> => {
  await ensureDaemon(paths, env);
  await ask(paths, 'reloadFleet', { timeout: limits.fleet.connected });
};

/** Reloads and waits until the daemon is connected to the broker. */
export const reloadAndConnect = async (call: Call): Promise<FleetStatus> => {
  await reload(call);
  let status = await ask(call.paths, 'readFleet');
  const isConnected = await pollUntil(
    async () => {
      status = await ask(call.paths, 'readFleet');
      return status.connection === 'connected' || status.connection === 'refused';
    },
    limits.fleet.connected,
    limits.fleet.broker.poll,
  );
  if (isConnected && status.connection === 'connected') return status;
  const why = brokerProblem(status.brokerHost) ?? status.problem ?? 'the broker does not answer';
  throw new DroverError(
    'fleet_down',
    `This machine is in the fleet, but its daemon is not connected: ${why}`,
    'It keeps trying. `drover fleet ls` shows the connection; `drover fleet leave` undoes this.',
  );
};

/** Why a broker on another machine cannot be reached; null when it can. */
export const brokerProblem = (brokerHost: FleetStatus['brokerHost']): string | null => {
  if (!brokerHost?.problem) return null;
  const { destination, tunnel, problem } = brokerHost;
  return tunnel === 'up' ? problem : `The tunnel to the broker on ${destination} is down: ${problem}`;
};

/** Returns the fleet as the daemon sees it; throws where this machine is in none. */
export const readStatus = async (call: Call): Promise<FleetStatus> => {
  await ensureDaemon(call.paths, call.env);
  const status = await ask(call.paths, 'readFleet');
  if (!status.isJoined) throw new DroverError('not_joined');
  return status;
};

/** A host by its name or the beginning of its id. */
export const hostNamed = ({ hosts }: FleetStatus, given: string | undefined): FleetHost => {
  if (!given)
    throw new DroverError('usage', 'The name of a host is missing.', '`drover fleet ls` lists them.');
  const members = hosts.filter(({ state }) => state !== 'revoked');
  const found = members.filter(
    ({ id, name }) => name === given || (given.length >= 4 && id.startsWith(given)),
  );
  const [host] = found;
  if (host && found.length === 1) return host;
  throw new DroverError(
    'no_host',
    found.length > 1 ? `${given} matches several hosts.` : `No host of the fleet is named ${given}.`,
  );
};
