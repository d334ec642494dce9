/** The broker on a machine that is always on: a real sshd leads there, a real nats-server runs there, and the admin is another machine. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FleetHost, FleetStatus } from '../../src/contract/fleet.ts';
import type { Membership } from '../../src/fleet/membership.ts';
import type { Session } from '../../src/contract/session.ts';
import { MAIN } from '../rig/drover.ts';
import { noFleet } from '../rig/fleet.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import { noNetwork, openNetwork } from '../rig/network.ts';
import { noSshd, type Sshd, sshdInto } from '../rig/sshd.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = '2.1.325';
const reason = noFleet ?? noSshd;
const noIslands = reason ?? noNetwork();
if (noIslands) console.warn(`rig: ${noIslands}, so stories of a broker on another machine are left out`);

const statusOf = async (of: World): Promise<FleetStatus> =>
  JSON.parse((await of.drover('fleet', 'ls', '--json')).stdout) as FleetStatus;

const run = (of: World, ...args: string[]) => of.run(process.execPath, [MAIN, ...args], { ms: 50_000 });

const init = (laptop: World, { config }: Sshd, ...args: string[]) =>
  run(laptop, 'fleet', 'init', '--name', 'laptop', '--on', 'devbox', '-F', config, ...args);

const add = (laptop: World, name: string, { config }: Sshd) =>
  run(laptop, 'fleet', 'add', name, '-F', config, '--name', name, '--yes', '--rights', 'read,queue,drive');

const membershipOf = async ({ droverHome }: World): Promise<Membership> =>
  JSON.parse(await readFile(join(droverHome, 'fleet', 'fleet.json'), 'utf8')) as Membership;

const settingsOf = ({ droverHome }: World): Promise<string> =>
  readFile(join(droverHome, 'fleet-broker', 'nats-server.conf'), 'utf8');

const brokerPidOf = async ({ droverHome }: World): Promise<number> =>
  Number(await readFile(join(droverHome, 'fleet-broker', 'nats-server.pid'), 'utf8').catch(() => '0'));

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Waits for a state of the fleet as this machine sees it. */
const sees = async (of: World, what: string, fits: (status: FleetStatus) => boolean, ms = 30_000) => {
  let last: FleetStatus | undefined;
  return until(
    ms,
    () => `${what}; the fleet is ${JSON.stringify(last)}`,
    async () => {
      last = await statusOf(of);
      return fits(last) ? last : undefined;
    },
  );
};

const isOnline = (name: string) => (status: FleetStatus) =>
  status.hosts.some((host: FleetHost) => host.name === name && host.state === 'online');

/** The processes with this name in a world. */
const pidsOf = async (of: World, name: string): Promise<number[]> => {
  const all = await Promise.all(
    (await of.processes()).map(async pid => ({
      pid,
      name: (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim(),
    })),
  );
  return all.filter(one => one.name === name).map(({ pid }) => pid);
};

const ended = (pid: number) =>
  until(
    10_000,
    () => `${pid} continues`,
    async () => ((await exists(`/proc/${pid}`)) ? undefined : true),
  );

/** A row of devbox as the laptop lists it. */
const rowOn = (hub: Hub, fits: (session: Session) => boolean) =>
  until(
    20_000,
    () => 'the row of devbox is not seen',
    async () => {
      const { body } = await hub.ask<{ sessions: Session[] }>('GET', '/sessions?live=1');
      return body.sessions.find(session => session.host === 'devbox' && fits(session));
    },
  );

/** A world with its own loopback. */
const island = async (): Promise<World> => {
  const network = await openNetwork();
  onTestFinished(() => network.close());
  return world({ version, network });
};

describe.skipIf(noIslands !== undefined)(
  'with the broker on another machine, whose network is its own',
  () => {
    test('the admin is elsewhere: hosts are enrolled, seen and revoked, and what breaks comes back', async () => {
      const laptop = await world({ version });
      const devbox = await island();
      const third = await island();
      await devbox.drover('setup');
      const hub = await hubOf(laptop);
      const devboxHub = await hubOf(devbox);
      const ssh = await sshdInto(devbox, 'devbox');
      const thirdSsh = await sshdInto(third, 'third');

      // Without a terminal it changes nothing unless it is told to.
      const unasked = await init(laptop, ssh);
      expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Add --yes.')]);
      expect(unasked.stdout).toMatch(/nats-server \d+\.\S+ at \//);
      expect(unasked.stdout).toContain("Won't   copy the key of the fleet there");
      expect(unasked.stdout).toContain('Undo    drover fleet leave here');
      expect(await readdir(devbox.droverHome)).not.toContain('fleet-broker');

      const made = await init(laptop, ssh, '--yes');
      expect([made.stderr, made.code]).toEqual(['', 0]);
      expect(made.stdout).toContain('runs on devbox. This machine connects to it at tls://127.0.0.1:');
      const { broker, fleetSecret, host: self } = await membershipOf(laptop);
      expect(broker?.port).toBe(broker?.on?.port);
      const { brokerHost } = await sees(
        laptop,
        'the tunnel does not come up',
        status => status.brokerHost?.tunnel === 'up',
      );
      expect(brokerHost).toEqual({ destination: 'devbox', tunnel: 'up', problem: null });
      // The key of the fleet is not there, and no secret was an argument or is in a log.
      await expectNothingSecret(devbox, [fleetSecret ?? '', self.key.secret, broker?.inviteSeed ?? '']);
      expect(await readdir(devbox.droverHome)).not.toContain('fleet');
      expect(await pidsOf(laptop, 'nats-server')).toEqual([]);
      // Another fleet does not take its place, once this one has used it.
      await until(
        15_000,
        () => 'the broker is not confirmed',
        async () =>
          (await readFile(join(devbox.droverHome, 'fleet-broker', 'hosted.json'), 'utf8')).includes(
            '"isConfirmed":true',
          )
            ? true
            : undefined,
      );
      const inUse = await init(await otherLaptop(), ssh, '--yes');
      expect([inUse.code, inUse.stderr]).toEqual([
        6,
        expect.stringContaining('another fleet, that of laptop'),
      ]);

      // The same machine as a member: it needs no tunnel.
      const added = await add(laptop, 'devbox', ssh);
      expect([added.stderr, added.code]).toEqual(['', 0]);
      expect(added.stdout).toContain(`let it use the broker at its own port ${broker?.on?.port}`);
      expect((await membershipOf(devbox)).servers).toEqual([`tls://127.0.0.1:${broker?.on?.port}`]);
      expect((await statusOf(laptop)).hosts.find(({ name }) => name === 'devbox')?.tunnel).toBe('none');
      const seat = await devbox.claude({ prompt: 'RUN touch made' });
      await seat.asks('Do you want to proceed?');
      await rowOn(hub, ({ requests }) => requests.length > 0);

      // A third machine reaches it through the laptop.
      const more = await add(laptop, 'third', thirdSsh);
      expect([more.stderr, more.code]).toEqual(['', 0]);
      expect(more.stdout).toContain('keep an SSH tunnel from its port');
      expect((await statusOf(laptop)).hosts.find(({ name }) => name === 'third')).toMatchObject({
        state: 'online',
        tunnel: 'up',
      });

      // Both tunnels are opened again.
      const before = await pidsOf(laptop, 'ssh');
      expect(before).toHaveLength(2);
      for (const pid of before) process.kill(pid);
      for (const pid of before) await ended(pid);
      await sees(
        laptop,
        'the tunnels do not come back',
        status =>
          status.brokerHost?.tunnel === 'up' &&
          status.connection === 'connected' &&
          isOnline('devbox')(status) &&
          isOnline('third')(status),
      );
      await sees(third, 'third does not reconnect', ({ connection }) => connection === 'connected');

      // The broker outlives the daemon there, which starts it again when it is gone.
      const first = await brokerPidOf(devbox);
      await devboxHub.stop();
      expect(await exists(`/proc/${first}`)).toBe(true);
      process.kill(first, 'SIGKILL');
      await ended(first);
      await sees(laptop, 'the loss is not noticed', ({ connection }) => connection === 'unreachable');
      await hubOf(devbox);
      await sees(
        laptop,
        'the fleet does not come back',
        status => status.connection === 'connected' && isOnline('devbox')(status),
      );
      expect(await brokerPidOf(devbox)).not.toBe(first);
      await rowOn(hub, ({ requests }) => requests.length > 0);
      const shown = await laptop.drover('fleet', 'broker');
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/There: Running: nats-server/)]);
      expect(shown.stdout).toContain('Tunnel: up');
      const there = await devbox.drover('fleet', 'broker');
      expect([there.code, there.stdout]).toEqual([0, expect.stringContaining('For the fleet of laptop')]);
      expect((await laptop.drover('doctor')).stdout).toMatch(
        /ok +fleet broker +runs on devbox; the tunnel is up/,
      );
      expect((await devbox.drover('doctor')).stdout).toMatch(/ok +fleet broker +runs here for the fleet/);

      // The login of a host that is revoked is gone there.
      const login = await loginOf(laptop, 'third');
      expect(await settingsOf(devbox)).toContain(login);
      const revoked = await laptop.drover('fleet', 'revoke', 'third');
      expect([revoked.code, revoked.stderr]).toEqual([0, '']);
      await until(
        15_000,
        () => 'the login of third stays at the broker',
        async () => ((await settingsOf(devbox)).includes(login) ? undefined : true),
      );

      const left = await laptop.drover('fleet', 'leave', '--yes');
      expect([left.code, left.stdout]).toEqual([
        0,
        expect.stringContaining('The broker on devbox was removed.'),
      ]);
      expect(await readdir(devbox.droverHome)).not.toContain('fleet-broker');
      expect(await pidsOf(devbox, 'nats-server')).toEqual([]);
      expect(await pidsOf(laptop, 'ssh')).toEqual([]);
    }, 180_000);
  },
);

describe.skipIf(reason !== undefined)('with the broker on another machine', () => {
  test('while the broker is out of reach nobody is enrolled, a host is revoked, and leaving says what stays', async () => {
    const laptop = await world({ version });
    const devbox = await world({ version });
    const third = await world({ version });
    await hubOf(laptop);
    const devboxHub = await hubOf(devbox);
    const ssh = await sshdInto(devbox, 'devbox');
    const thirdSsh = await sshdInto(third, 'third');
    expect((await init(laptop, ssh, '--yes')).stderr).toBe('');
    expect((await add(laptop, 'devbox', ssh)).stderr).toBe('');
    const login = await loginOf(laptop, 'devbox');

    await ssh.stop();
    const down = await sees(
      laptop,
      'the tunnel is not noticed as down',
      ({ brokerHost, connection }) => brokerHost?.tunnel === 'down' && connection === 'unreachable',
    );
    expect(down.brokerHost?.problem).toMatch(/\S/);
    const refused = await add(laptop, 'third', thirdSsh);
    expect([refused.code, refused.stderr]).toEqual([
      7,
      expect.stringContaining('The tunnel to the broker on devbox is down:'),
    ]);
    expect(await readdir(third.droverHome)).not.toContain('fleet');
    const shown = await laptop.drover('fleet', 'broker');
    expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining('Tunnel: down')]);

    const revoked = await laptop.drover('fleet', 'revoke', 'devbox');
    expect([revoked.code, revoked.stdout]).toEqual([
      0,
      expect.stringContaining('The broker cannot be reached. The other hosts learn of it'),
    ]);
    expect((await statusOf(laptop)).hosts.find(({ name }) => name === 'devbox')?.state).toBe('revoked');
    expect(await settingsOf(devbox)).toContain(login);
    await ssh.start();
    await until(
      90_000,
      () => 'the login of the revoked host stays at the broker',
      async () => ((await settingsOf(devbox)).includes(login) ? undefined : true),
    );
    await sees(laptop, 'the laptop does not reconnect', ({ connection }) => connection === 'connected');
    await sees(
      devbox,
      'devbox does not learn that it was revoked',
      ({ problem, connection }) =>
        problem?.includes('was removed from the fleet') === true || connection !== 'connected',
    );

    await ssh.stop();
    const left = await laptop.drover('fleet', 'leave', '--yes');
    expect([left.code, left.stdout]).toEqual([
      0,
      expect.stringContaining('Run `drover fleet broker remove` there.'),
    ]);
    expect(await readdir(laptop.droverHome)).not.toContain('fleet');
    const removed = await devbox.drover('fleet', 'broker', 'remove', '--yes');
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('Removed the broker')]);
    expect(await pidsOf(devbox, 'nats-server')).toEqual([]);
    // The daemon does not start it again.
    await devboxHub.ask('GET', '/fleet');
    expect(await readdir(devbox.droverHome)).not.toContain('fleet-broker');
  }, 180_000);

  test('an init that fails in the middle leaves nothing behind, and works the next time', async () => {
    const laptop = await world({ version });
    const devbox = await world({ version });
    await hubOf(laptop);
    await hubOf(devbox);
    const ssh = await sshdInto(devbox, 'devbox');
    // ssh there forwards no port: the broker is made, and then not reached.
    await ssh.allowForwarding(false);
    const failed = await init(laptop, ssh, '--yes');
    expect([failed.code, failed.stderr]).toEqual([7, expect.stringContaining('AllowTcpForwarding')]);
    expect(await readdir(laptop.droverHome)).not.toContain('fleet');
    expect(await readdir(devbox.droverHome)).not.toContain('fleet-broker');
    expect(await pidsOf(devbox, 'nats-server')).toEqual([]);
    expect((await statusOf(laptop)).isJoined).toBe(false);

    // One that is killed leaves a broker there. The next one replaces it.
    await ssh.allowForwarding(true);
    const killed = init(laptop, ssh, '--yes');
    const left = await until(
      15_000,
      () => 'no broker is made',
      async () => (await hostedFleet(devbox)) ?? undefined,
    );
    for (const pid of await pidsWith(laptop, '--on')) process.kill(pid, 'SIGKILL');
    expect((await killed).code).not.toBe(0);
    expect((await statusOf(laptop)).isJoined).toBe(false);
    expect((await init(laptop, ssh, '--yes')).stderr).toBe('');
    expect(await hostedFleet(devbox)).toBe((await membershipOf(laptop)).fleet);
    expect(await hostedFleet(devbox)).not.toBe(left);

    // Somebody has removed it there: it is not made again unless the admin wants that.
    expect((await devbox.drover('fleet', 'broker', 'remove', '--yes')).code).toBe(0);
    await sees(laptop, 'the loss is not noticed', ({ connection }) => connection === 'unreachable');
    const again = await laptop.drover('fleet', 'broker', 'start');
    expect([again.stderr, again.code]).toEqual(['', 0]);
    await sees(laptop, 'the broker does not come back', ({ connection }) => connection === 'connected');

    // Another account on the machine of the broker has it on its own loopback, and needs no tunnel.
    const other = await world({ version });
    const added = await add(laptop, 'other', await sshdInto(other, 'other'));
    expect([added.stderr, added.code]).toEqual(['', 0]);
    expect((await statusOf(laptop)).hosts.find(({ name }) => name === 'other')).toMatchObject({
      state: 'online',
      tunnel: 'none',
    });
    const gone = await devbox.drover('uninstall', '--keep-data');
    expect([gone.code, gone.stdout]).toEqual([
      0,
      expect.stringContaining('Stopped the broker of the fleet.'),
    ]);
    expect(await pidsOf(devbox, 'nats-server')).toEqual([]);
    for (const wrong of ['--listen', '--url'])
      expect((await init(laptop, ssh, wrong, '10.0.0.1')).stderr).toContain(
        `${wrong} cannot be combined with --on`,
      );
  }, 120_000);
});

const otherLaptop = async (): Promise<World> => {
  const other = await world({ version });
  await hubOf(other);
  return other;
};

/** The fleet whose broker this machine runs; null for none. */
const hostedFleet = async ({ droverHome }: World): Promise<string | null> => {
  const text = await readFile(join(droverHome, 'fleet-broker', 'hosted.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as { fleet: string }).fleet;
};

/** The programs of node in a world that were started with this word. */
const pidsWith = async (of: World, word: string): Promise<number[]> => {
  const all = await Promise.all(
    (await pidsOf(of, 'node')).map(async pid => ({
      pid,
      words: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0'),
    })),
  );
  return all.filter(({ words }) => words.includes(word)).map(({ pid }) => pid);
};

/** The login of a member at the broker, as the laptop's roster has it. */
const loginOf = async (of: World, name: string): Promise<string> => {
  const { entries } = JSON.parse(await readFile(join(of.droverHome, 'fleet', 'roster.json'), 'utf8')) as {
    entries: string[];
  };
  const texts = entries.map(entry => Buffer.from(entry, 'base64').toString());
  const entry = texts.find(
    text => text.includes(`"name":"${name}"`) || text.includes(`\\"name\\":\\"${name}\\"`),
  );
  const login = /U[A-Z2-7]{55}/.exec(entry ?? '')?.[0];
  if (login === undefined) throw new Error(`${name} has no login`);
  return login;
};

const expectNothingSecret = async (of: World, secrets: string[]): Promise<void> => {
  expect(secrets.every(secret => secret.length > 20)).toBe(true);
  const pids = await of.processes();
  const args = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  const names = (await readdir(of.droverHome, { recursive: true, withFileTypes: true })).filter(one =>
    one.isFile(),
  );
  const files = await Promise.all(
    names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1').catch(() => '')),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const text of [...args, ...files]) expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
};
