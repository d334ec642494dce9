/** Hosts that were revoked leave the broker alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokerFiles } from '../../src/fleet/broker/broker-config.ts';
import { limits } from '../../src/limits.ts';
import { newest } from '../rig/cli.ts';
import { fleetAt, type Member, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a revoked host stops; one that does not know it yet retries with growing pauses, and reports why', {
    timeout: 120_000,
  }, async () => {
    const { laptop, join: joinFleet } = await fleetAt(newest, []);
    const [devbox, spare] = [await joinFleet('devbox'), await joinFleet('spare')];
    const logged = async (what: RegExp) => {
      const { log: file } = brokerFiles(join(laptop.world.droverHome, 'fleet', 'broker'));
      const log = await readFile(file, 'utf8');
      return log.split('\n').filter(line => what.test(line)).length;
    };
    /** Attempts to sign in that the broker has refused. */
    const refusals = () => logged(/authentication error/i);
    /** How often the broker has read its logins again. */
    const reloads = () => logged(/Reloaded server configuration/);
    const isRefused = (member: Member, problem: RegExp) => {
      let last = '';
      return until(
        60_000,
        () => `${member.name} is not refused: ${last}`,
        async () => {
          const status = await member.fleet();
          last = `${status.connection}, ${status.problem}`;
          return (status.connection === 'refused' && problem.test(status.problem ?? '')) || undefined;
        },
      );
    };

    // It sees the new list of members before the broker ends its connection.
    expect((await laptop.world.drover('fleet', 'revoke', 'devbox')).code).toBe(0);
    await isRefused(devbox, /was removed from the fleet/);
    const before = await refusals();
    const ls = await devbox.world.drover('fleet', 'ls');
    expect([ls.code, ls.stdout]).toEqual([1, expect.stringContaining('then `drover fleet join`')]);
    await devbox.restart();
    await isRefused(devbox, /was removed from the fleet/);
    expect(await refusals()).toBe(before);

    // This one is off when it happens, so it knows only that its login is refused.
    await spare.hub.stop();
    const reloadsBefore = await reloads();
    expect((await laptop.world.drover('fleet', 'revoke', 'spare')).code).toBe(0);
    await until(
      20_000,
      () => 'the broker still has its login',
      async () => (await reloads()) > reloadsBefore || undefined,
    );
    await spare.restart();
    await isRefused(spare, /does not accept the login of this host/);
    expect((await refusals()) - before).toBeLessThanOrEqual(limits.fleet.refusedAfter);
    expect((await spare.world.drover('fleet', 'ls')).stdout).toContain('tries again every few minutes');
    expect((await spare.world.drover('doctor')).stdout).toMatch(/FAIL +fleet +.*does not accept the login/);
    // It can still leave at once.
    const left = await spare.world.drover('fleet', 'leave');
    expect([left.stderr, left.code]).toEqual(['', 0]);
  });
});
