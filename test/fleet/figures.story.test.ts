/** Usage and waits over all hosts: each is asked, and those that did not answer are named. */
import { describe, expect, test } from 'vitest';
import type { Stats } from '../../src/contract/stats.ts';
import type { Usage } from '../../src/contract/usage.ts';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

interface OfHosts {
  hosts: { host: string; problem: string | null; total?: { messages: number }; stats?: Stats | null }[];
}

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('usage is added up over all hosts, stats have a line for each, and a host that is away is named', {
    timeout: 120_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join } = await fleetAt(newest, [broker.url]);
    const devbox = await join('devbox');
    const spare = await join('spare');
    for (const { world } of [laptop, devbox]) await world.claude({ prompt: 'SAY one' });
    for (const host of [null, 'devbox'])
      await laptop.sees(session => session.host === host && session.reason === 'stopped', 30_000);
    await spare.hub.stop();
    await laptop.seesHost('spare', ({ state }) => state === 'away');

    const usage = await until(
      20_000,
      () => 'the usage of devbox is not counted',
      async () => {
        const { stdout } = await laptop.world.drover('usage', '--fleet', '--since', 'all', '--json');
        const read = JSON.parse(stdout) as Usage & OfHosts;
        return read.hosts.filter(({ total }) => (total?.messages ?? 0) > 0).length === 2 ? read : undefined;
      },
    );
    expect(usage.hosts).toMatchObject([
      { host: 'laptop', problem: null },
      { host: 'devbox', problem: null },
      { host: 'spare', total: null, problem: expect.stringMatching(/^away /) },
    ]);
    expect(usage.total.messages).toBe(
      usage.hosts.reduce((sum, { total }) => sum + (total?.messages ?? 0), 0),
    );
    const stats = JSON.parse((await laptop.world.drover('stats', '--fleet', '--json')).stdout) as OfHosts;
    expect(stats.hosts).toMatchObject([
      { host: 'laptop', stats: { open: { waits: 1 } } },
      { host: 'devbox', stats: { open: { waits: 1 } } },
      { host: 'spare', stats: null, problem: expect.stringMatching(/^away /) },
    ]);
    for (const verb of ['usage', 'stats']) {
      const { code, stderr } = await laptop.world.drover(verb, '--fleet');
      expect([verb, code, stderr]).toEqual([
        verb,
        0,
        expect.stringMatching(/^Not included: spare \(away [^)]*\)$/m),
      ]);
      expect((await devbox.world.drover(verb, '--fleet')).stderr).toContain('A worker sees no other host');
    }
    expect((await laptop.world.drover('stats', '--fleet')).stdout).toMatch(
      /0 waits answered on 2 hosts, 2 waiting now[\s\S]*^laptop[\s\S]*^devbox/m,
    );
    // Without the option it is this machine alone.
    const own = JSON.parse((await laptop.world.drover('usage', '--since', 'all', '--json')).stdout) as Usage;
    expect(own.total.messages).toBe(usage.hosts[0]?.total?.messages);
  });
});
