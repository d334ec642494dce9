/** A machine is enrolled over SSH: a real sshd leads into a second home, where only a login shell finds drover. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FleetStatus } from '../../src/contract/fleet.ts';
import type { Membership } from '../../src/fleet/membership.ts';
import { MAIN } from '../rig/drover.ts';
import { noFleet } from '../rig/fleet.ts';
import { hubOf } from '../rig/hub.ts';
import { screenOf } from '../rig/screen.ts';
import { noSshd, sshdInto } from '../rig/sshd.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = '2.1.325';
const reason = noFleet ?? noSshd;
if (reason) console.warn(`rig: ${reason}, so the stories of enrolment over SSH are left out`);

const statusOf = async (of: World): Promise<FleetStatus> =>
  JSON.parse((await of.drover('fleet', 'ls', '--json')).stdout) as FleetStatus;

const membershipOf = async ({ droverHome }: World): Promise<Membership> =>
  JSON.parse(await readFile(join(droverHome, 'fleet', 'fleet.json'), 'utf8')) as Membership;

const add = (laptop: World, config: string, ...args: string[]) =>
  laptop.run(process.execPath, [MAIN, 'fleet', 'add', 'devbox', '-F', config, ...args], { ms: 50_000 });

describe.skipIf(reason !== undefined)('over SSH', () => {
  test('a machine behind a tunnel is enrolled, drops out with its sshd, and comes back', async () => {
    const laptop = await world({ version });
    const devbox = await world({ version });
    const hub = await hubOf(laptop);
    const ssh = await sshdInto(devbox, 'devbox');
    const reserved = await laptop.drover('fleet', 'init', '--name', 'local');
    expect([reserved.code, reserved.stderr]).toEqual([
      2,
      expect.stringContaining('`host:local` means this machine'),
    ]);
    const made = await laptop.drover('fleet', 'init', '--name', 'laptop');
    expect([made.code, made.stderr]).toEqual([0, '']);

    // Without a terminal it changes nothing unless it is told to.
    const unasked = await add(laptop, ssh.config, '--name', 'devbox');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Add --yes.')]);
    expect(unasked.stdout).toContain(`Found   drover`);
    expect(unasked.stdout).toContain("Won't   let devbox see or drive this machine");
    expect(unasked.stdout).toContain('Undo    drover fleet revoke devbox');
    expect(unasked.stdout).toContain('Rights  laptop may read and queue on devbox;');
    expect((await devbox.drover('fleet', 'ls')).code).toBe(6);

    const added = await add(laptop, ssh.config, '--name', 'devbox', '--yes', '--rights', 'read,queue,drive');
    expect([added.stderr, added.code]).toEqual(['', 0]);
    expect(added.stdout).toContain('devbox is online with 0 sessions.');
    const { hosts } = await statusOf(laptop);
    const host = hosts.find(({ name }) => name === 'devbox');
    expect(host).toMatchObject({
      state: 'online',
      role: 'worker',
      ssh: 'devbox',
      tunnel: 'up',
      problem: null,
    });
    const { ssh: places, host: own } = await membershipOf(laptop);
    expect(places[host?.id ?? '']).toMatchObject({
      node: process.execPath,
      main: MAIN,
      home: devbox.droverHome,
    });
    const there = await membershipOf(devbox);
    expect(there.accept).toEqual({ [own.id]: ['read', 'queue', 'drive'] });
    // Rights of a member are changed there, not here.
    const changed = await add(laptop, ssh.config, '--yes', '--rights', 'read');
    expect([changed.code, changed.stderr]).toEqual([
      6,
      expect.stringContaining('`drover fleet accept laptop read` there'),
    ]);
    expect((await membershipOf(devbox)).accept).toEqual(there.accept);
    expect(there.servers).toEqual([`tls://127.0.0.1:${places[host?.id ?? '']?.tunnelPort}`]);

    await ssh.stop();
    const tunnel = async () => (await statusOf(laptop)).hosts.find(({ name }) => name === 'devbox');
    const lost = await until(
      15_000,
      () => 'the tunnel is not noticed as down',
      async () => {
        const now = await tunnel();
        return now?.tunnel === 'down' ? now : undefined;
      },
    );
    expect(lost.problem).toMatch(/^Tunnel: \S/);
    await ssh.start();
    await until(
      30_000,
      () => 'devbox does not come back',
      async () => {
        const now = await tunnel();
        const { connection } = await statusOf(devbox);
        return now?.tunnel === 'up' && connection === 'connected' ? true : undefined;
      },
    );

    // Again: it is a member already, so only its address is stored.
    const again = await add(laptop, ssh.config, '--yes');
    expect([again.stderr, again.code]).toEqual(['', 0]);
    expect((await statusOf(laptop)).hosts).toHaveLength(2);

    // The tunnel ends with the daemon, also when that is killed.
    const pids = await sshPids(laptop);
    expect(pids).toHaveLength(1);
    await hub.kill9();
    await until(
      10_000,
      () => 'ssh outlives the daemon',
      async () => ((await sshPids(laptop)).length === 0 ? true : undefined),
    );
  }, 120_000);

  test('a person chooses the rights of this machine, and can decline', async () => {
    const laptop = await world({ version });
    const devbox = await world({ version });
    await hubOf(laptop);
    const ssh = await sshdInto(devbox, 'devbox');
    await laptop.drover('fleet', 'init', '--name', 'laptop');
    const line = [process.execPath, MAIN, 'fleet', 'add', 'devbox', '-F', ssh.config, '--name', 'devbox'];
    // The screen stays when the command has ended.
    const asked = async () =>
      screenOf(laptop, ['sh', '-c', '"$@"; echo "exit $?"; exec cat', 'sh', ...line, '--role', 'seat'], {
        columns: 110,
        rows: 30,
      });
    const refused = await asked();
    await refused.sees('What may this machine do on devbox?');
    expect(await refused.text()).toContain('Rights  you choose what laptop may do on devbox;');
    expect(await refused.text()).toContain('Note    as a seat, devbox sees the sessions of all hosts');
    await refused.press('n');
    await refused.sees('exit 1');
    expect(await refused.text()).toContain('Nothing was changed.');
    expect((await statusOf(laptop)).hosts).toHaveLength(1);

    const agreed = await asked();
    await agreed.sees('What may this machine do on devbox?');
    await agreed.press('2');
    await agreed.sees('Enrol devbox? This machine may read, queue and answer there.');
    await agreed.press('y');
    await agreed.sees('devbox is online', 30_000);
    await agreed.sees('exit 0');
    expect(Object.values((await membershipOf(devbox)).accept)).toEqual([['read', 'queue', 'answer']]);
    // A seat sees who is there.
    await until(
      15_000,
      () => 'devbox does not see laptop',
      async () => {
        const { hosts } = await statusOf(devbox);
        return hosts.find(({ name }) => name === 'laptop')?.state === 'online' ? true : undefined;
      },
    );
  }, 90_000);

  test('a machine without drover and an invalid destination are refused', async () => {
    const laptop = await world({ version });
    const devbox = await world({ version });
    await hubOf(laptop);
    const ssh = await sshdInto(devbox, 'devbox');
    expect((await add(laptop, ssh.config, '--yes')).stderr).toContain('This machine is not in a fleet.');
    await laptop.drover('fleet', 'init', '--name', 'laptop');
    await devbox.run('rm', ['-r', join(devbox.root, 'nvm')]);
    const missing = await add(laptop, ssh.config, '--yes');
    expect([missing.code, missing.stderr]).toEqual([
      7,
      expect.stringMatching(/A login shell on devbox does not find drover: .*not found/),
    ]);
    for (const wrong of ['-oProxyCommand=x', 'a b', 'me@host;id', '$(id)']) {
      const refused = await laptop.drover('fleet', 'add', '--yes', '--', wrong);
      expect([wrong, refused.code]).toEqual([wrong, 2]);
    }
    await ssh.stop();
    const unreachable = await add(laptop, ssh.config, '--yes');
    expect(unreachable.stderr).toContain('ssh could not run a command on devbox');
  }, 90_000);
});

/** The processes of ssh in this world. */
const sshPids = async (of: World): Promise<number[]> => {
  const names = await Promise.all(
    (await of.processes()).map(async pid => ({
      pid,
      name: await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
    })),
  );
  return names.filter(({ name }) => name.trim() === 'ssh').map(({ pid }) => pid);
};
