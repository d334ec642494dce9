/** Creates a fleet whose broker runs on another machine. The key of the fleet stays here. */
import { rmSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import { pollUntil } from '../../poll-until.ts';
import { freePort, isFreePort } from '../broker/broker-process.ts';
import { hostedListen } from '../broker/hosted-broker.ts';
import {
  brokerRequestOf,
  configureRemoteBroker,
  removeRemoteBroker,
  tunnelTo,
} from '../broker/remote-broker.ts';
import { type BrokerHost, hasJoined, type Membership } from '../membership.ts';
import { withTunnel } from '../ssh/with-tunnel.ts';
import { subjectsOf } from '../subjects.ts';
import { enrolThisMachine, makeBrokerKeys } from './init.ts';
import { withBroker } from './reach-broker.ts';

/**
 * Makes the fleet, and a broker for it there. Both count as made once this machine has signed in to the broker through a tunnel.
 * If that fails, both machines are cleaned up.
 */
export const initOnHost = async (
  paths: Paths,
  name: string,
  on: BrokerHost,
  env: Env,
): Promise<Membership> => {
  if (hasJoined(paths)) throw new DroverError('already_joined');
  const keys = await makeBrokerKeys(paths);
  const broker = { listen: hostedListen, port: on.port, on, ...keys.invite };
  const { certificate, login, loginKey } = keys;
  const own = { certificate, authorities: null, login, loginKey, replicas: 1 };
  try {
    return await enrolThisMachine(
      paths,
      name,
      { ...own, servers: serversAt(on.port), broker },
      async (made, roster) => {
        try {
          const request = brokerRequestOf(paths, made, roster.all(), 'new');
          await configureRemoteBroker(on, request, { env, startsDaemon: true });
          // The same port on both machines if it is free here.
          const port = (await isFreePort(hostedListen, on.port)) ? on.port : await freePort(hostedListen);
          const reached = { ...made, servers: serversAt(port), broker: { ...broker, port } };
          await signIn(reached, env);
          return reached;
        } catch (error) {
          throw await cleanUpBroker(on, made.fleet, env, error);
        }
      },
    );
  } catch (error) {
    rmSync(paths.fleet, { recursive: true, force: true });
    throw error;
  }
};

/** Removes the broker there after a failure. Returns the failure, with what must be cleaned up by hand. */
export const cleanUpBroker = async (
  on: BrokerHost,
  fleet: string,
  env: Env,
  error: unknown,
): Promise<unknown> => {
  try {
    await removeRemoteBroker(on, fleet, env);
    return error;
  } catch {
    const { destination } = on;
    const hint = `The broker on ${destination} could not be removed. Run \`drover fleet broker remove\` there, or this command again.`;
    return new DroverError('failed', (error as Error).message, hint);
  }
};

const serversAt = (port: number): string[] => [`tls://${hostedListen}:${port}`];

/** Signs in to the broker once, as the daemon will do. */
const signIn = async (membership: Membership, env: Env): Promise<void> => {
  const { broker, servers, login, certificate, authorities, host, fleet } = membership;
  const tunnel = tunnelTo({ broker });
  if (!broker?.on || !tunnel) return;
  await withTunnel(broker.on, tunnel, env, () =>
    withBroker(
      {
        servers,
        login,
        certificate,
        authorities,
        name: `drover ${host.name} begins`,
        inbox: subjectsOf(fleet).inbox(host.id),
      },
      limits.fleet.reach,
      async () => {},
    ).catch((error: unknown) => {
      throw new DroverError(
        'fleet_down',
        `The broker on ${broker.on?.destination} cannot be reached through SSH: ${(error as Error).message}`,
        'Check that sshd there allows `AllowTcpForwarding`.',
      );
    }),
  );
  // Wait until the port is free: the daemon will listen on it.
  const { address, port } = tunnel.here;
  await pollUntil(() => isFreePort(address, port), limits.fleet.broker.stop, limits.fleet.broker.poll);
};
