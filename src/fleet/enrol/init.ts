/** Makes a fleet: its key, this machine as its admin, and a broker unless one is named. */
import { mkdirSync, rmSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import { writePrivate } from '../../files/private-file.ts';
import { isCurrent, isPrivateAddress } from '../broker-version.ts';
import { brokerFiles } from '../broker/broker-config.ts';
import { freePort, localAddressOf, startBroker, stopBroker } from '../broker/broker-process.ts';
import { writeUsers } from '../broker/broker-users.ts';
import { selfSigned } from '../broker/certificate.ts';
import { findNatsServer } from '../broker/nats-server.ts';
import { makeLogin } from '../broker/nkey.ts';
import { fleetSender, seal } from '../envelope.ts';
import { idOfKey, makeKey, publicKeyOf, secretKeyOf, type StoredKey } from '../keys.ts';
import { machineOf } from '../machine.ts';
import { hasJoined, type Login, type Membership, writeMembership } from '../membership.ts';
import { Roster } from '../roster.ts';
import { withBroker } from './reach-broker.ts';

export interface OwnBrokerOptions {
  listen: string;
  /** Null: a free one. */
  port: number | null;
}

export interface OtherBroker {
  servers: string[];
  login: Login;
  /** PEM. */
  authorities: string | null;
  replicas: number;
}

/** Where the broker is, and how to sign in. */
type Broker = Pick<
  Membership,
  'servers' | 'certificate' | 'authorities' | 'login' | 'replicas' | 'broker'
> & { loginKey: string | null };

/** Makes a fleet with its own broker on this machine, and starts the broker. */
export const initWithBroker = async (
  paths: Paths,
  name: string,
  options: OwnBrokerOptions,
  env: Env,
): Promise<Membership> => {
  if (hasJoined(paths)) throw new DroverError('already_joined');
  const { version } = await findNatsServer(env);
  const { listen } = options;
  if (!isCurrent(version) && !isPrivateAddress(listen))
    throw new DroverError(
      'refused',
      `nats-server ${version} has known vulnerabilities, so it may listen on loopback or WireGuard only, not on ${listen}.`,
      'Install 2.11.16, 2.12.7, 2.14.0 or later, or leave out --listen: `drover fleet add` keeps a tunnel.',
    );
  const port = options.port ?? (await freePort(listen));
  const keys = await makeBrokerKeys(paths);
  try {
    const address = localAddressOf(listen);
    const own = {
      servers: [`tls://${address.includes(':') ? `[${address}]` : address}:${port}`],
      certificate: keys.certificate,
      authorities: null,
      login: keys.login,
      loginKey: keys.loginKey,
      replicas: 1,
      broker: { listen, port, on: null, ...keys.invite },
    };
    const membership = await enrolThisMachine(paths, name, own, (made, roster) => {
      writeUsers(paths.fleetBroker, made, roster);
      return made;
    });
    await startBroker({ folder: paths.fleetBroker, listen, port }, env);
    return membership;
  } catch (error) {
    // It may have started too late.
    await stopBroker(paths.fleetBroker, false);
    rmSync(paths.fleet, { recursive: true, force: true });
    throw error;
  }
};

/** Makes the keys and the certificate of our own broker. What an earlier fleet left behind is removed. */
export const makeBrokerKeys = async (paths: Paths) => {
  await stopBroker(paths.fleetBroker, false);
  rmSync(paths.fleetBroker, { recursive: true, force: true });
  mkdirSync(paths.fleetBroker, { recursive: true, mode: 0o700 });
  const files = brokerFiles(paths.fleetBroker);
  const { key, cert } = selfSigned(['drover'], limits.fleet.broker.certificateDays);
  writePrivate(files.key, key);
  writePrivate(files.certificate, cert);
  const login = makeLogin();
  const invite = makeLogin();
  return {
    certificate: cert,
    login: { kind: 'nkey' as const, seed: login.seed },
    loginKey: login.public,
    invite: { inviteLogin: invite.public, inviteSeed: invite.seed },
  };
};

/** Makes a fleet on a broker that others run, if that can be reached. */
export const initOnOther = async (paths: Paths, name: string, other: OtherBroker): Promise<Membership> => {
  if (hasJoined(paths)) throw new DroverError('already_joined');
  const { servers, login, authorities } = other;
  const tried = { servers, login, authorities, certificate: null, name: `drover ${name}`, inbox: '_INBOX' };
  await withBroker(tried, limits.fleet.reach, async () => {});
  return enrolThisMachine(paths, name, { ...other, certificate: null, loginKey: null, broker: null });
};

/** Makes the keys of a fleet and of this machine. `prepare` gets the broker ready, before anything counts as joined. */
export const enrolThisMachine = async (
  paths: Paths,
  name: string,
  { loginKey, ...broker }: Broker,
  prepare: (membership: Membership, roster: Roster) => Promise<Membership> | Membership = made => made,
): Promise<Membership> => {
  const fleetKey = makeKey();
  const key = makeKey();
  const fleet = idOfKey(fleetKey.public);
  const membership: Membership = {
    version: 1,
    fleet,
    fleetKey: fleetKey.public,
    fleetSecret: fleetKey.secret,
    host: { id: idOfKey(key.public), name, key },
    role: 'admin',
    ...broker,
    share: 'all',
    accept: {},
    ssh: {},
    machine: machineOf(paths.home),
  };
  mkdirSync(paths.fleet, { recursive: true, mode: 0o700 });
  const roster = await signedRoster(paths, fleetKey, membership, loginKey);
  const prepared = await prepare(membership, roster);
  writeMembership(paths, prepared);
  return prepared;
};

/** Writes a roster with only this host. The daemon publishes it once it is connected. */
const signedRoster = async (
  paths: Paths,
  fleetKey: StoredKey,
  { fleet, host }: Membership,
  login: string | null,
): Promise<Roster> => {
  rmSync(paths.fleetRoster, { force: true });
  const publicKey = publicKeyOf(fleetKey.public);
  if (!publicKey) throw new DroverError('failed', 'The key of the fleet could not be made.');
  const roster = await Roster.open(fleet, publicKey, paths.fleetRoster);
  const { id, name, key } = host;
  const entry = {
    host: id,
    name,
    key: key.public,
    login,
    role: 'admin',
    isRevoked: false,
    revision: 1,
    at: Date.now(),
  };
  await roster.take(seal(fleet, 'roster', fleetSender, secretKeyOf(fleetKey.secret), entry));
  return roster;
};
