/**
 * A separate machine on this one: a network namespace with an address and one cable to here, which can be unplugged. It ends,
 * with its cable, together with the process that was started for it, also when the tests are killed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './broker.ts';
import { within } from './within.ts';

export interface Network {
  /** Prefix of a command that runs inside. */
  inside: string[];
  /** Its address, as seen from here. */
  address: string;
  /** What listens on this port of its loopback is reached on the same port here, also without the cable. */
  port: number;
  /** Leads a port of its loopback to the same port here, also without the cable. */
  leadOut: (port: number) => Promise<void>;
  /** Unplugs the cable: packets are dropped, and no connection is closed. */
  cut: () => void;
  restore: () => void;
  close: () => Promise<void>;
}

/** Why machines with their own network cannot be made here; undefined where they can. With CI set they are, or tests fail. */
export const noNetwork = (): string | undefined => {
  if (process.env.CI) return undefined;
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (ipPath === undefined) return 'ip (iproute2) is not installed';
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'no right to make network namespaces';
  }
};

const ipPath = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'].find(file => existsSync(file));
const program = fileURLToPath(new URL('in-network.mjs', import.meta.url));

/** Makes a network; whoever opens it closes it, after the world in it. */
export const openNetwork = async (): Promise<Network> => {
  if (ipPath === undefined) throw new Error('ip (iproute2) is not installed.');
  const ip = ipPath;
  const folder = await mkdtemp(join(process.env.DROVER_TEST_RUN ?? tmpdir(), 'n-'));
  const child = spawn('unshare', ['-n', process.execPath, program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const answers = createInterface({ input: child.stdout });
  const answered = () =>
    within<string>(
      10_000,
      () => 'the process in the network does not answer',
      found => {
        answers.once('line', found);
        child.once('exit', () => found(undefined));
        return () => answers.off('line', found);
      },
    );
  await answered();
  const pid = child.pid ?? 0;
  const inside = ['nsenter', `--net=/proc/${pid}/ns/net`];
  const here = (...words: string[]) => void execFileSync(ip, words, { stdio: 'pipe' });
  const there = (...words: string[]) =>
    void execFileSync('nsenter', [...inside.slice(1), ip, ...words], { stdio: 'pipe' });
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  /** `from` and `to`: a port of the loopback here, or a path. */
  const lead = async (from: number | string, to: number | string): Promise<void> => {
    const server = createServer(client => {
      const other = connect(typeof to === 'number' ? { host: '127.0.0.1', port: to } : { path: to });
      for (const [one, next] of [
        [client, other],
        [other, client],
      ] as const) {
        sockets.add(one);
        one.on('error', () => next.destroy());
        one.on('close', () => {
          sockets.delete(one);
          next.destroy();
        });
        one.pipe(next);
      }
    });
    servers.push(server);
    const at = typeof from === 'number' ? { host: '127.0.0.1', port: from } : { path: from };
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  };
  const leadThere = async (from: number | string, to: number | string): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ from, to })}\n`);
    await answered();
  };
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    child.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };

  try {
    const port = await freePort();
    // Of the range for tests of networks (RFC 2544), four addresses for each process.
    const net = (pid % 16_384) * 4;
    const address = (n: number) => `198.18.${net >> 8}.${(net & 255) + n}`;
    const cable = `dv${pid}`;
    here('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'cable', 'netns', String(pid));
    here('addr', 'add', `${address(1)}/30`, 'dev', cable);
    here('link', 'set', cable, 'up');
    there('addr', 'add', `${address(2)}/30`, 'dev', 'cable');
    there('link', 'set', 'cable', 'up');
    there('link', 'set', 'lo', 'up');
    const socket = (name: string | number) => join(folder, String(name));
    await leadThere(socket('in'), port);
    await lead(port, socket('in'));
    return {
      inside,
      address: address(2),
      port,
      leadOut: async wanted => {
        await lead(socket(wanted), wanted);
        await leadThere(wanted, socket(wanted));
      },
      // The far end: the route from here to there stays, so that nothing goes another way.
      cut: () => there('link', 'set', 'cable', 'down'),
      restore: () => there('link', 'set', 'cable', 'up'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
