/** Several machines in one test: worlds of their own, whose daemons are members of one fleet. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FleetHost, FleetStatus } from '../../src/contract/fleet.ts';
import type { Session } from '../../src/contract/session.ts';
import type { Version } from './cli.ts';
import { type DaemonOptions, MAIN } from './drover.ts';
import { type Hub, hubOf } from './hub.ts';
import { sshdInto } from './sshd.ts';
import { until } from './within.ts';
import type { World, WorldOptions } from './world.ts';

export interface Member {
  world: World;
  readonly hub: Hub;
  name: string;
  /** Stops its daemon, if it runs, and starts it again. */
  restart: () => Promise<void>;
  /** `drover fleet ls --json`. */
  fleet: () => Promise<FleetStatus>;
  /** Awaits what this member knows of another host. */
  seesHost: (name: string, fits: (host: FleetHost) => boolean, ms?: number) => Promise<FleetHost>;
  /** Awaits a session of any host in `GET /sessions`. */
  sees: (fits: (session: Session) => boolean, ms?: number) => Promise<Session>;
}

export interface MemberOptions {
  role?: 'worker' | 'seat';
  /** What it allows the first member. */
  accept?: string;
  daemon?: DaemonOptions;
  /** It reaches the broker through this port of its own, as through a tunnel. */
  through?: number;
  /** By how much the clock of its daemon is ahead. */
  aheadMs?: number;
  world?: Partial<WorldOptions>;
  config?: object;
}

export interface TestFleet {
  laptop: Member;
  /** Adds a machine that joins with a token of the laptop. */
  join: (name: string, options?: MemberOptions) => Promise<Member>;
  /** Adds a machine over SSH, by `drover fleet add` on the laptop. */
  add: (name: string, options?: MemberOptions) => Promise<Member>;
}

/** Makes a fleet with one admin, at the brokers of these addresses; with none the admin runs its own. */
export const openFleetAt = async (
  open: (options: WorldOptions) => Promise<World>,
  version: Version,
  urls: string[],
  options: MemberOptions & { replicas?: number } = {},
): Promise<TestFleet> => {
  const where = urls.length > 0 ? ['--url', urls.join(',')] : [];
  const copies = options.replicas === undefined ? [] : ['--replicas', String(options.replicas)];
  const laptop = await memberOf(open, version, 'laptop', options);
  const made = await laptop.world.drover('fleet', 'init', '--name', 'laptop', ...where, ...copies);
  if (made.code !== 0) throw new Error(`drover fleet init: ${made.stdout}${made.stderr}`);
  return {
    laptop,
    join: async (name, more = {}) => {
      const { role = 'worker', accept } = more;
      const member = await memberOf(open, version, name, more);
      const token = await laptop.world.drover('fleet', 'token', '--role', role, '--json');
      if (token.code !== 0) throw new Error(`drover fleet token: ${token.stdout}${token.stderr}`);
      const { token: text } = JSON.parse(token.stdout) as { token: string };
      const rights = accept === undefined ? [] : ['--accept', accept];
      const joined = await member.world.run(
        process.execPath,
        [member.world.main, 'fleet', 'join', '-', '--name', name, ...rights],
        { input: `${text}\n` },
      );
      if (joined.code !== 0) throw new Error(`drover fleet join: ${joined.stdout}${joined.stderr}`);
      if (more.through !== undefined) await goThrough(member, more.through);
      await laptop.seesHost(name, ({ state }) => state === 'online');
      return member;
    },
    add: async (name, more = {}) => {
      const { role = 'worker', accept = 'read,queue' } = more;
      const member = await memberOf(open, version, name, more);
      const { destination, config } = await sshdInto(member.world, name);
      const words = ['--name', name, '--role', role, '--rights', accept, '--yes'];
      const added = await laptop.world.run(
        process.execPath,
        [MAIN, 'fleet', 'add', destination, '-F', config, ...words],
        { ms: 50_000 },
      );
      if (added.code !== 0) throw new Error(`drover fleet add: ${added.stdout}${added.stderr}`);
      return member;
    },
  };
};

const goThrough = async (member: Member, port: number): Promise<void> => {
  const file = join(member.world.droverHome, 'fleet', 'fleet.json');
  const membership = JSON.parse(await readFile(file, 'utf8')) as { servers: string[] };
  await writeFile(file, JSON.stringify({ ...membership, servers: [`nats://127.0.0.1:${port}`] }));
  await member.restart();
};

/** Runs the product under a clock that is ahead. */
const aheadBy = async (opened: World, ms: number): Promise<DaemonOptions> => {
  const offset = join(opened.root, 'clock');
  await writeFile(offset, String(ms));
  return { main: clockMain, env: { DROVER_FAULTS_CLOCK: offset, DROVER_FAULTS_MAIN: MAIN } };
};

const clockMain = fileURLToPath(new URL('../faults/clock-main.mjs', import.meta.url));

const memberOf = async (
  open: (options: WorldOptions) => Promise<World>,
  version: Version,
  name: string,
  options: MemberOptions,
): Promise<Member> => {
  const opened = await open({ version, ...options.world });
  if (options.config) await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify(options.config));
  await opened.drover('setup');
  const daemon = options.aheadMs === undefined ? options.daemon : await aheadBy(opened, options.aheadMs);
  let hub = await hubOf(opened, daemon);
  const fleet = async () => (await hub.ask<FleetStatus>('GET', '/fleet')).body;
  return {
    world: opened,
    get hub() {
      return hub;
    },
    name,
    fleet,
    restart: async () => {
      await hub.stop();
      hub = await hubOf(opened, daemon);
    },
    seesHost: (wanted, fits, ms = 15_000) => {
      let last = '';
      return until(
        ms,
        () => `${name} sees ${wanted} as ${last}`,
        async () => {
          const status = await fleet();
          const host = status.hosts.find(one => one.name === wanted);
          last = JSON.stringify({ ...host, connection: status.connection, problem: status.problem });
          return host && fits(host) ? host : undefined;
        },
      );
    },
    sees: (fits, ms = 15_000) => {
      let last = '';
      return until(
        ms,
        () => `${name} sees ${last}`,
        async () => {
          const { body } = await hub.ask<{ sessions: Session[] }>('GET', '/sessions?live=1');
          last = body.sessions.map(({ id, state, reason }) => `${id} ${state} ${reason}`).join(', ');
          return body.sessions.find(fits);
        },
      );
    },
  };
};
