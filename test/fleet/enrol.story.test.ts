/** A fleet is made, joined with a token, left and revoked: the real commands on both machines, and a real nats-server. */
import { spawn } from 'node:child_process';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FleetStatus, Invitation } from '../../src/contract/fleet.ts';
import { freePort } from '../../src/fleet/broker/broker-process.ts';
import { selfSigned } from '../../src/fleet/broker/certificate.ts';
import { findNatsServer } from '../../src/fleet/broker/nats-server.ts';
import { MAIN } from '../rig/drover.ts';
import { brokerOfTest, noFleet } from '../rig/fleet.ts';
import { hubOf } from '../rig/hub.ts';
import { commandLine } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = '2.1.325';
if (noFleet) console.warn(`rig: ${noFleet}, so the stories of enrolment are left out`);

const statusOf = async (of: World): Promise<FleetStatus> =>
  JSON.parse((await of.drover('fleet', 'ls', '--json')).stdout) as FleetStatus;

const hostIn = async (of: World, name: string) => (await statusOf(of)).hosts.find(host => host.name === name);

const sees = (of: World, name: string, state: string) =>
  until(
    15_000,
    () => `${name} is not ${state}`,
    async () => ((await hostIn(of, name))?.state === state ? true : undefined),
  );

const tokenOf = async (of: World, ...args: string[]): Promise<Invitation> => {
  const made = await of.drover('fleet', 'token', '--json', ...args);
  expect([made.code, made.stderr]).toEqual([0, '']);
  return JSON.parse(made.stdout) as Invitation;
};

const joinWith = (of: World, token: string, ...args: string[]) =>
  of.run(process.execPath, [MAIN, 'fleet', 'join', '-', ...args], { input: `${token}\n` });

/** Two machines, the first of which has made a fleet. */
const two = async (): Promise<{ laptop: World; devbox: World }> => {
  const laptop = await world({ version });
  const devbox = await world({ version });
  await hubOf(laptop);
  await hubOf(devbox);
  const made = await laptop.drover('fleet', 'init', '--name', 'laptop');
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('drover fleet add user@host');
  return { laptop, devbox };
};

describe.skipIf(noFleet !== undefined)('enrolment', () => {
  test('a token enrols one machine only', async () => {
    const { laptop, devbox } = await two();
    const { token } = await tokenOf(laptop, '--rights', 'read,queue,answer');
    const joined = await joinWith(devbox, token, '--name', 'devbox');
    expect([joined.code, joined.stderr]).toEqual([0, '']);
    expect(joined.stdout).toContain('laptop may read, queue and answer here');
    await sees(laptop, 'devbox', 'online');
    expect((await hostIn(devbox, 'laptop'))?.accepts).toEqual(['read', 'queue', 'answer']);

    const twice = await joinWith(devbox, token);
    expect([twice.code, twice.stderr]).toEqual([6, expect.stringContaining('drover fleet leave')]);
    const third = await world({ version });
    await hubOf(third);
    const used = await joinWith(third, token);
    expect([used.code, used.stderr]).toEqual([7, expect.stringContaining('has already been used')]);
    const cut = await joinWith(third, token.slice(0, 300));
    expect([cut.code, cut.stderr]).toEqual([7, expect.stringContaining('Copy all of it.')]);

    // The same name twice gets a number.
    const named = await joinWith(third, (await tokenOf(laptop)).token, '--name', 'devbox');
    expect(named.stdout).toContain('as devbox-2.');
    await sees(laptop, 'devbox-2', 'online');
  });

  test('an expired token is refused, and a worker cannot make one', async () => {
    const { laptop, devbox } = await two();
    const { token } = await tokenOf(laptop);
    const file = join(laptop.droverHome, 'fleet', 'invitations.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as { invitations: { expiresAt: number }[] };
    for (const one of kept.invitations) one.expiresAt = Date.now() - 1;
    await laptop.drover('down');
    await writeFile(file, JSON.stringify(kept));
    await hubOf(laptop);
    await until(
      15_000,
      () => 'laptop does not connect',
      async () => ((await statusOf(laptop)).connection === 'connected' ? true : undefined),
    );
    const late = await joinWith(devbox, token);
    expect([late.code, late.stderr]).toEqual([7, expect.stringContaining('has expired')]);
    expect((await joinWith(devbox, (await tokenOf(laptop)).token, '--name', 'devbox')).code).toBe(0);
    const refused = await devbox.drover('fleet', 'token');
    expect(refused.stderr).toContain('Only an admin');
  });

  test('leaving and revoking remove a host from the list', async () => {
    const { laptop, devbox } = await two();
    expect((await joinWith(devbox, (await tokenOf(laptop)).token, '--name', 'devbox')).code).toBe(0);
    await sees(laptop, 'devbox', 'online');
    const accepted = await devbox.drover('fleet', 'accept', 'laptop', 'none');
    expect(accepted.stdout).toContain('laptop may do nothing here');
    const left = await devbox.drover('fleet', 'leave');
    expect([left.code, left.stdout]).toEqual([0, expect.not.stringContaining('No admin')]);
    await sees(laptop, 'devbox', 'revoked');
    expect((await statusOf(devbox)).isJoined).toBe(false);
    expect(await readdir(devbox.droverHome)).not.toContain('fleet');

    expect((await joinWith(devbox, (await tokenOf(laptop)).token, '--name', 'devbox')).code).toBe(0);
    await until(
      15_000,
      () => 'devbox does not come online again',
      async () =>
        (await statusOf(laptop)).hosts.some(({ name, state }) => name === 'devbox' && state === 'online')
          ? true
          : undefined,
    );
    const revoked = await laptop.drover('fleet', 'revoke', 'devbox');
    expect([revoked.code, revoked.stderr]).toEqual([0, '']);
    await until(
      15_000,
      () => 'devbox does not notice',
      async () =>
        (await statusOf(devbox)).problem?.includes('was removed from the fleet') ? true : undefined,
    );
    expect((await devbox.drover('fleet', 'leave')).code).toBe(0);

    // A copy of a home leaves without removing the original from the fleet.
    expect((await joinWith(devbox, (await tokenOf(laptop)).token, '--name', 'original')).code).toBe(0);
    await sees(laptop, 'original', 'online');
    const copy = await world({ version });
    await cp(join(devbox.droverHome, 'fleet'), join(copy.droverHome, 'fleet'), { recursive: true });
    const copied = await copy.drover('fleet', 'leave');
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringContaining('The original stays')]);
    expect((await hostIn(laptop, 'original'))?.state).toBe('online');

    // The machine of the broker asks first.
    const kept = await laptop.drover('fleet', 'leave');
    expect([kept.code, kept.stderr]).toEqual([expect.any(Number), expect.stringContaining('the fleet ends')]);
    expect((await statusOf(laptop)).connection).toBe('connected');
    expect((await laptop.drover('fleet', 'leave', '--yes')).code).toBe(0);
    expect((await laptop.drover('fleet', 'broker')).code).toBe(6);
  });

  test('the broker outlives the daemon, is restarted by it, and stays stopped after `broker stop`', async () => {
    const { laptop } = await two();
    const pidOf = async () =>
      (JSON.parse((await laptop.drover('fleet', 'broker', '--json')).stdout) as { pid: number | null }).pid;
    const first = await pidOf();
    await laptop.drover('down');
    expect(await pidOf()).toBe(first);
    await hubOf(laptop);
    process.kill(first ?? 0, 'SIGKILL');
    await until(
      15_000,
      () => 'the broker is not started again',
      async () => {
        const pid = await pidOf();
        return pid !== null && pid !== first ? true : undefined;
      },
    );
    expect((await laptop.drover('fleet', 'broker', 'stop')).stdout).toContain('Stopped.');
    await until(
      15_000,
      () => 'the daemon does not notice',
      async () => ((await statusOf(laptop)).connection === 'unreachable' ? true : undefined),
    );
    expect(await pidOf()).toBeNull();
    expect((await laptop.drover('fleet', 'broker', 'start')).code).toBe(0);
    await until(
      20_000,
      () => 'the daemon does not reconnect',
      async () => ((await statusOf(laptop)).connection === 'connected' ? true : undefined),
    );
  });

  test('only the user can read the files, and no secret is in a log or an argument', async () => {
    const { laptop, devbox } = await two();
    const { token } = await tokenOf(laptop);
    expect((await joinWith(devbox, token, '--name', 'devbox')).code).toBe(0);
    for (const { droverHome } of [laptop, devbox]) {
      const names = await readdir(join(droverHome, 'fleet'), { recursive: true });
      expect((await stat(join(droverHome, 'fleet'))).mode & 0o077).toBe(0);
      for (const name of names)
        expect([name, (await stat(join(droverHome, 'fleet', name))).mode & 0o077]).toEqual([name, 0]);
    }
    const secrets = await secretsOf(laptop, devbox, token);
    expect(secrets.length).toBeGreaterThan(6);
    const logs = await Promise.all(
      [
        join(laptop.droverHome, 'log', 'daemon.log'),
        join(devbox.droverHome, 'log', 'daemon.log'),
        join(laptop.droverHome, 'fleet', 'broker', 'nats-server.log'),
      ].map(file => readFile(file, 'utf8').catch(() => '')),
    );
    const pids = [...(await laptop.processes()), ...(await devbox.processes())];
    for (const text of [...logs, ...pids.map(commandLine)])
      expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  test('a broker with TLS that asks for a password is used, and the token carries its account', async () => {
    const port = await freePort('127.0.0.1');
    const laptop = await world({ version });
    const devbox = await world({ version });
    await hubOf(laptop);
    await hubOf(devbox);
    const conf = join(laptop.root, 'nats.conf');
    const data = JSON.stringify(join(laptop.root, 'nats'));
    const [authority, secret] = [join(laptop.root, 'ca.pem'), join(laptop.root, 'key.pem')];
    const { key, cert } = selfSigned(['localhost'], 1);
    await writeFile(authority, cert);
    await writeFile(secret, key);
    await writeFile(
      conf,
      `listen: "127.0.0.1:${port}"
jetstream { store_dir: ${data} }
tls { cert_file: ${JSON.stringify(authority)}, key_file: ${JSON.stringify(secret)} }
authorization { users: [{ user: "fleet", password: "s3cret word" }] }
`,
    );
    const { path } = await findNatsServer(process.env);
    const broker = spawn(path, ['-c', conf], { stdio: 'ignore', env: laptop.env() });
    onTestFinished(() => void broker.kill());
    const url = (password: string) => `tls://fleet:${encodeURIComponent(password)}@127.0.0.1:${port}`;
    const lost = await laptop.drover('fleet', 'init', '--url', url('s3cret word'), '--port', '4222');
    expect([lost.code, lost.stderr]).toEqual([
      2,
      expect.stringContaining('--port cannot be combined with --url'),
    ]);
    const init = (...args: string[]) => laptop.drover('fleet', 'init', '--name', 'laptop', ...args);
    const wrong = await init('--url', url('wrong'), '--ca', authority);
    expect([wrong.code, wrong.stderr]).toEqual([7, expect.stringContaining('does not accept the login')]);
    const untrusted = await init('--url', url('s3cret word'));
    expect([untrusted.code, untrusted.stderr]).toEqual([7, expect.stringContaining('--ca')]);
    // Nothing was made.
    expect((await laptop.drover('fleet', 'ls')).stderr).toContain('not in a fleet');
    const made = await init('--url', url('s3cret word'), '--ca', authority);
    expect([made.stderr, made.code]).toEqual(['', 0]);
    expect(made.stdout).toContain(`Connected to tls://127.0.0.1:${port}`);
    expect((await joinWith(devbox, (await tokenOf(laptop)).token, '--name', 'devbox')).code).toBe(0);
    await sees(laptop, 'devbox', 'online');
    expect((await laptop.drover('fleet', 'broker')).stderr).toContain('This machine runs no broker');
    const left = await laptop.drover('fleet', 'leave', '--yes');
    expect([left.code, broker.exitCode]).toEqual([0, null]);
  });

  test('a broker with known vulnerabilities listens on this machine only', async () => {
    const laptop = await world({ version });
    await hubOf(laptop);
    const refused = await laptop.drover('fleet', 'init', '--listen', '0.0.0.0');
    // A newer one may: then this machine has a fleet.
    if (refused.code === 0) return;
    expect(refused.stderr).toMatch(/nats-server 2\.\S+ has known vulnerabilities/);
    expect((await laptop.drover('fleet', 'ls')).code).toBe(6);

    // An address that leads to this machine, and does not say so.
    const { url } = await brokerOfTest();
    const other = await laptop.drover('fleet', 'init', '--url', url.replace('127.0.0.1', '0.0.0.0'));
    expect([other.code, other.stderr]).toEqual([
      6,
      expect.stringMatching(/2\.\S+ has known vulnerabilities/),
    ]);
    expect((await laptop.drover('fleet', 'ls')).code).toBe(6);
    expect((await laptop.drover('fleet', 'init', '--url', url)).code).toBe(0);
  });
});

const secretsOf = async (laptop: World, devbox: World, token: string): Promise<string[]> => {
  const of = async ({ droverHome }: World) =>
    JSON.parse(await readFile(join(droverHome, 'fleet', 'fleet.json'), 'utf8')) as {
      fleetSecret: string | null;
      host: { key: { secret: string } };
      login: { seed: string };
      broker: { inviteSeed: string } | null;
    };
  const files = [await of(laptop), await of(devbox)];
  return [
    token,
    ...files.flatMap(({ fleetSecret, host, login, broker }) => [
      fleetSecret,
      host.key.secret,
      login.seed,
      broker?.inviteSeed,
    ]),
  ].filter(secret => typeof secret === 'string');
};
