/** A broker that this machine runs for the admin of a fleet, which sends its settings over SSH. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { DroverError } from '../../contract/error.ts';
import { HostId, HostName } from '../../contract/fleet.ts';
import type { Env, Paths } from '../../paths.ts';
import { writePrivate } from '../../files/private-file.ts';
import { brokerFiles } from './broker-config.ts';
import { brokerPid, isStoppedByHand, reloadBroker, startBroker, stopBroker } from './broker-process.ts';
import { isLogin, writeSettings } from './broker-users.ts';

const Hosted = z.looseObject({
  version: z.literal(1),
  fleet: HostId,
  admin: z.object({ id: HostId, name: HostName }),
  /** On loopback. */
  port: z.number().int().min(1).max(65_535),
  /** nats-server. */
  program: z.string().startsWith('/'),
  /** The fleet has used it. Until then it may be replaced: an interrupted `init` may have left it behind. */
  isConfirmed: z.boolean(),
});
export type Hosted = z.infer<typeof Hosted>;

/** What the admin sends. */
export const BrokerRequest = Hosted.omit({ isConfirmed: true }).extend({
  /** `new`: makes the broker. `update`: changes an existing one. */
  purpose: z.enum(['new', 'update']),
  key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  certificate: z.string().startsWith('-----BEGIN CERTIFICATE-----'),
  users: z.array(
    z.object({
      login: z.string().regex(isLogin),
      permissions: z.object({
        publish: z.array(z.string()),
        subscribe: z.array(z.string()),
        mayAnswer: z.boolean(),
      }),
    }),
  ),
});
export type BrokerRequest = z.infer<typeof BrokerRequest>;

export const hostedListen = '127.0.0.1';

/** The broker that this machine runs for others; null when there is none, or its file cannot be read. */
export const readHosted = ({ hostedBrokerFile }: Paths): Hosted | null => {
  try {
    return Hosted.parse(JSON.parse(readFileSync(hostedBrokerFile, 'utf8')));
  } catch {
    return null;
  }
};

export const placeOf = ({ hostedBroker }: Paths, { port, program }: Pick<Hosted, 'port' | 'program'>) => ({
  folder: hostedBroker,
  listen: hostedListen,
  port,
  program,
});

/** Runs a broker with these settings: a new one, or the existing one. */
export const hostBroker = async (paths: Paths, request: BrokerRequest, env: Env): Promise<void> => {
  const { purpose, key, certificate, users, ...about } = request;
  const { fleet, admin, port } = about;
  const folder = paths.hostedBroker;
  const known = readHosted(paths);
  if (known && known.fleet !== fleet && known.isConfirmed && purpose === 'new') throw otherFleetError(known);
  if (purpose === 'update' && known?.fleet !== fleet)
    throw new DroverError(
      'not_joined',
      'The broker of this fleet is no longer on this machine.',
      `Run \`drover fleet broker start\` on ${admin.name} to make it again.`,
    );
  if (known && known.fleet !== fleet) await removeHosted(paths);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = brokerFiles(folder);
  writePrivate(files.key, key);
  writePrivate(files.certificate, certificate);
  const isChanged = writeSettings(folder, {
    name: `drover-${admin.id}`,
    listen: hostedListen,
    port,
    users,
  });
  const isConfirmed = purpose === 'update' || (known?.fleet === fleet && known.isConfirmed);
  writePrivate(paths.hostedBrokerFile, JSON.stringify({ ...about, isConfirmed } satisfies Hosted));
  if (isChanged) reloadBroker(folder);
  if (purpose === 'new' || !isStoppedByHand(folder)) await startBroker(placeOf(paths, about), env);
};

/** Stops the broker and deletes all its files. Returns false when there was none. */
export const removeHosted = async (paths: Paths): Promise<boolean> => {
  const folder = paths.hostedBroker;
  const wasHere = readHosted(paths) !== null || brokerPid(folder) !== null;
  // First, because the daemon would start it again.
  rmSync(paths.hostedBrokerFile, { force: true });
  await stopBroker(folder, false);
  rmSync(folder, { recursive: true, force: true });
  return wasHere;
};

export const otherFleetError = ({ admin }: { admin: { name: string } }): DroverError =>
  new DroverError(
    'refused',
    `That machine already runs the broker of another fleet, that of ${admin.name}.`,
    'Choose another machine, or run `drover fleet broker remove` there.',
  );
