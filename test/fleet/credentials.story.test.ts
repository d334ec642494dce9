/** An existing broker as companies run it: accounts of an operator, credentials files, and a certificate of their own authority. */
import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FleetStatus, Invitation } from '../../src/contract/fleet.ts';
import { freePort } from '../../src/fleet/broker/broker-process.ts';
import { findNatsServer } from '../../src/fleet/broker/nats-server.ts';
import { MAIN } from '../rig/drover.ts';
import { noFleet } from '../rig/fleet.ts';
import { hubOf } from '../rig/hub.ts';
import { authorityIn, noAuthority, operatorAccounts } from '../rig/nats-operator.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const version = '2.1.325';
const reason = noFleet ?? noAuthority;
if (reason) console.warn(`rig: ${reason}, so the story of credentials files is left out`);

describe.skipIf(reason !== undefined)('with nats-server', () => {
  test('a broker with credentials files and its own authority is used, and the token carries both', {
    timeout: 90_000,
  }, async () => {
    const [laptop, devbox] = [await world({ version }), await world({ version })];
    await hubOf(laptop);
    await hubOf(devbox);
    const accounts = operatorAccounts();
    const { authority, certificate, key } = await authorityIn(laptop.root);
    const port = await freePort('127.0.0.1');
    const file = (name: string) => join(laptop.root, name);
    await writeFile(file('known.creds'), accounts.known);
    await writeFile(file('unknown.creds'), accounts.unknown);
    await writeFile(file('other.creds'), 'no credentials');
    await writeFile(
      file('nats.conf'),
      `listen: "127.0.0.1:${port}"
jetstream { store_dir: ${JSON.stringify(file('nats'))} }
tls { cert_file: ${JSON.stringify(certificate)}, key_file: ${JSON.stringify(key)} }
${accounts.config}
`,
    );
    const { path } = await findNatsServer(process.env);
    const broker = spawn(path, ['-c', file('nats.conf')], { stdio: 'ignore', env: laptop.env() });
    onTestFinished(() => void broker.kill());

    const init = (...args: string[]) =>
      laptop.drover('fleet', 'init', '--name', 'laptop', '--url', `tls://127.0.0.1:${port}`, ...args);
    const creds = (name: string) => ['--creds', file(name)];
    const missing = await init(...creds('nowhere.creds'), '--ca', authority);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('nowhere.creds cannot be read'),
    ]);
    const other = await init(...creds('other.creds'), '--ca', authority);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('is not a credentials file')]);
    const untrusted = await init(...creds('known.creds'));
    expect([untrusted.code, untrusted.stderr]).toEqual([7, expect.stringContaining('--ca')]);
    for (const login of [creds('unknown.creds'), []]) {
      const refused = await init(...login, '--ca', authority);
      expect([refused.code, refused.stderr]).toEqual([
        7,
        expect.stringContaining('does not accept the login'),
      ]);
    }
    // Nothing was made.
    expect((await laptop.drover('fleet', 'ls')).stderr).toContain('not in a fleet');

    const made = await init(...creds('known.creds'), '--ca', authority);
    expect([made.stderr, made.code]).toEqual(['', 0]);
    const token = await laptop.drover('fleet', 'token', '--json');
    const joined = await devbox.run(process.execPath, [MAIN, 'fleet', 'join', '-', '--name', 'devbox'], {
      input: `${(JSON.parse(token.stdout) as Invitation).token}\n`,
    });
    expect([joined.stderr, joined.code]).toEqual(['', 0]);
    await until(
      15_000,
      () => 'devbox is not online',
      async () => {
        const { stdout } = await laptop.drover('fleet', 'ls', '--json');
        const { hosts } = JSON.parse(stdout) as FleetStatus;
        return hosts.some(({ name, state }) => name === 'devbox' && state === 'online') || undefined;
      },
    );
    // The credentials are kept where only the user reads them, and are in no log.
    const seed = /SU[A-Z0-9]{56}/.exec(accounts.known)?.[0] ?? '';
    expect(seed).not.toBe('');
    for (const { droverHome } of [laptop, devbox]) {
      const membership = join(droverHome, 'fleet', 'fleet.json');
      expect((await stat(membership)).mode & 0o077).toBe(0);
      expect(await readFile(membership, 'utf8')).toContain(seed);
      expect(await readFile(join(droverHome, 'log', 'daemon.log'), 'utf8')).not.toContain(seed);
    }
  });
});
