/** A real nats-server on loopback, as somebody else would run it: without TLS and accounts, one or a cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { get } from 'node:http';
import { until } from './within.ts';

/** Where nats-server is; undefined where it is not installed. */
export const brokerPath = (process.env.PATH ?? '')
  .split(delimiter)
  .concat('/usr/sbin', '/usr/local/bin')
  .map(folder => join(folder, 'nats-server'))
  .find(file => existsSync(file));

export interface Broker {
  url: string;
  dir: string;
  pid: () => number;
  start: () => Promise<void>;
  /** Ends it at once, as a power cut would. */
  kill: () => Promise<void>;
  /** Ends it in order: it writes everything that it keeps. */
  stop: () => Promise<void>;
  /** In how many places of its store this text stands. */
  countInStore: (text: string) => Promise<number>;
  close: () => Promise<void>;
}

/** Makes a broker that is not started yet. `cluster`: the ports of all its members for each other, its own first. */
export const brokerIn = async (
  parent = process.env.DROVER_TEST_RUN ?? tmpdir(),
  cluster?: { name: string; own: number; others: number[] },
): Promise<Broker> => {
  if (brokerPath === undefined) throw new Error('nats-server is not installed.');
  const program = brokerPath;
  const dir = await mkdtemp(join(parent, 'nats-'));
  const [port, monitor] = [await freePort(), await freePort()];
  const config = join(dir, 'nats.conf');
  const routes = cluster?.others.map(other => `nats-route://127.0.0.1:${other}`).join(', ');
  await writeFile(
    config,
    [
      'host: 127.0.0.1',
      `port: ${port}`,
      `http: 127.0.0.1:${monitor}`,
      `server_name: n${port}`,
      'max_payload: 8MB',
      `jetstream { store_dir: ${JSON.stringify(join(dir, 'data'))} }`,
      cluster
        ? `cluster { name: ${cluster.name}, listen: 127.0.0.1:${cluster.own}, routes: [${routes}] }`
        : '',
    ].join('\n'),
  );
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null) return;
    const over = new Promise(resolve => ending.once('exit', resolve));
    ending.kill(signal);
    await over;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    dir,
    pid: () => child?.pid ?? 0,
    start: async () => {
      child = spawn(program, ['-c', config], { stdio: 'ignore' });
      const path = cluster ? '/healthz?js-server-only=true' : '/healthz';
      await until(
        15_000,
        () => 'nats-server is not up',
        () => isHealthy(monitor, path),
      );
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    countInStore: text => countInFolder(join(dir, 'data'), text),
    close: async () => {
      await end('SIGTERM');
      await rm(dir, { recursive: true, force: true });
    },
  };
};

/** Three brokers that are one cluster, all started. */
export const brokerCluster = async (): Promise<Broker[]> => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const brokers: Broker[] = [];
  for (const own of ports)
    brokers.push(await brokerIn(undefined, { name: 'c', own, others: ports.filter(port => port !== own) }));
  await Promise.all(brokers.map(broker => broker.start()));
  return brokers;
};

/** Names of files count too: streams are folders. */
const countInFolder = async (folder: string, text: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  let count = 0;
  for (const entry of entries) {
    if (entry.name.includes(text)) count++;
    // A file may go while this reads.
    if (entry.isFile()) count += await countInFile(join(entry.parentPath, entry.name), text).catch(() => 0);
  }
  return count;
};

const countInFile = async (file: string, text: string): Promise<number> => {
  const bytes = await readFile(file);
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count++;
  return count;
};

const isHealthy = (port: number, path: string): Promise<true | undefined> =>
  new Promise(resolve => {
    get({ host: '127.0.0.1', port, path }, response => {
      response.resume();
      resolve(response.statusCode === 200 || undefined);
    }).on('error', () => resolve(undefined));
  });

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
