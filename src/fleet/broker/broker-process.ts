/** Runs nats-server beside the daemon: it outlives restarts of the daemon, which starts it again when it is gone. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import type { Env } from '../../paths.ts';
import { platform } from '../../platform/choose.ts';
import { brokerFiles } from './broker-config.ts';
import { findNatsServer } from './nats-server.ts';

export interface BrokerPlace {
  folder: string;
  listen: string;
  port: number;
  /** nats-server, where it is not on the PATH. */
  program?: string;
}

/** The pid of our broker; null while it is not running. */
export const brokerPid = (folder: string): number | null => {
  const { pid: file, config } = brokerFiles(folder);
  try {
    const pid = Number(readFileSync(file, 'utf8').trim());
    // The pid may belong to another process by now.
    return pid > 1 && platform.processes.processArgs(pid).join(' ').includes(config) ? pid : null;
  } catch {
    return null;
  }
};

/** Starts the broker unless it is running, and waits until it listens. Returns whether it was started. */
export const startBroker = async (place: BrokerPlace, env: Env): Promise<boolean> => {
  const files = brokerFiles(place.folder);
  rmSync(files.stopped, { force: true });
  if (brokerPid(place.folder) !== null) return false;
  const { path } = await findNatsServer(env, place.program);
  if (await isListening(place))
    throw new DroverError(
      'failed',
      `Another program listens on port ${place.port}.`,
      'End it, then run `drover fleet broker start`.',
    );
  mkdirSync(files.data, { recursive: true, mode: 0o700 });
  const out = openSync(files.log, 'a', 0o600);
  // It would let others of the user's group read what it writes.
  const umask = process.umask(0o077);
  const child = spawn(path, ['-c', files.config], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', out, out],
    env: { PATH: env.PATH ?? '', HOME: env.HOME ?? '' },
  });
  process.umask(umask);
  closeSync(out);
  child.unref();
  let ended: string | null = null;
  child.on('error', error => {
    ended = error.message;
  });
  child.on('exit', code => {
    ended = `It exited with ${code}.`;
  });
  const isUp = await pollUntil(
    async () => ended !== null || (brokerPid(place.folder) !== null && (await isListening(place))),
    limits.fleet.broker.start,
    limits.fleet.broker.poll,
  );
  // Somebody else has started it at the same time.
  if (ended !== null && brokerPid(place.folder) !== null) return false;
  if (ended !== null || !isUp)
    throw new DroverError('failed', `nats-server did not start. ${ended ?? ''}`.trim(), `See ${files.log}.`);
  return true;
};

/** Stops the broker; with `isKept` the daemon leaves it stopped. Returns whether it was running. */
export const stopBroker = async (folder: string, isKept: boolean): Promise<boolean> => {
  const { stopped } = brokerFiles(folder);
  if (isKept && existsSync(folder)) writeFileSync(stopped, '', { mode: 0o600 });
  const pid = brokerPid(folder);
  if (pid === null) return false;
  process.kill(pid, 'SIGTERM');
  const hasEnded = () => brokerPid(folder) === null;
  const { stop, poll } = limits.fleet.broker;
  if (await pollUntil(hasEnded, stop, poll)) return true;
  process.kill(pid, 'SIGKILL');
  await pollUntil(hasEnded, stop, poll);
  return true;
};

export const isStoppedByHand = (folder: string): boolean => existsSync(brokerFiles(folder).stopped);

/** Makes the broker reread its settings. */
export const reloadBroker = (folder: string): void => {
  const pid = brokerPid(folder);
  if (pid !== null) process.kill(pid, 'SIGHUP');
};

/** A port that is free on this address. */
export const freePort = async (listen: string): Promise<number> => {
  const server = createServer();
  server.listen(0, listen);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return (address as { port: number }).port;
};

/** Whether a port of this address can be listened on. */
export const isFreePort = async (listen: string, port: number): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen(port, listen);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
};

/** Where this machine itself reaches the broker. */
export const localAddressOf = (listen: string): string =>
  listen === '0.0.0.0' ? '127.0.0.1' : listen === '::' ? '::1' : listen;

const isListening = ({ listen, port }: BrokerPlace): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, localAddressOf(listen));
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
