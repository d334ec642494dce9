/** A broker that this machine runs for the admin of a fleet, who has sent its settings over SSH. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { DroverError } from '../../contract/error.ts';
import { HostId, HostName } from '../../contract/fleet.ts';
import type { Env, Paths } from '../../paths.ts';
import { writePrivate } from '../../private-file.ts';
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
  /** The fleet has used it. Until then it may be replaced: an `init` that was interrupted has left it behind. */
  isConfirmed: z.boolean(),
});
export type Hosted = z.infer<typeof Hosted>;

/** What the admin sends. */
export const HostRequest = Hosted.omit({ isConfirmed: true }).extend({
  /** `new`: makes the broker. `update`: changes one that is here. */
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
export type HostRequest = z.infer<typeof HostRequest>;

export const hostedListen = '127.0.0.1';

/** What this machine runs for others; null when it is nothing, or nothing that can be read. */
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

/** Runs a broker with these settings: a new one, or the one that is here. */
export const hostBroker = async (paths: Paths, request: HostRequest, env: Env): Promise<void> => {
  const { purpose, key, certificate, users, ...about } = request;
  const { fleet, admin, port } = about;
  const folder = paths.hostedBroker;
  const known = readHosted(paths);
  if (known && known.fleet !== fleet && known.isConfirmed && purpose === 'new') throw otherFleet(known);
  if (purpose === 'update' && known?.fleet !== fleet)
    throw new DroverError(
      'not_joined',
      'The broker of this fleet is not on this machine any more.',
      `Run \`drover fleet broker start\` on ${admin.name}: it is made again.`,
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

/** Ends the broker and deletes all of it. Returns false when there was none. */
export const removeHosted = async (paths: Paths): Promise<boolean> => {
  const folder = paths.hostedBroker;
  const wasHere = readHosted(paths) !== null || brokerPid(folder) !== null;
  // First: the daemon would start it again.
  rmSync(paths.hostedBrokerFile, { force: true });
  await stopBroker(folder, false);
  rmSync(folder, { recursive: true, force: true });
  return wasHere;
};

export const otherFleet = ({ admin }: { admin: { name: string } }): DroverError =>
  new DroverError(
    'refused',
    `The broker of another fleet, that of ${admin.name}, runs there.`,
    'Choose another machine, or end that one with `drover fleet broker remove` there.',
  );
