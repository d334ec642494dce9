/** The permissions of our own broker are enough for everything that hosts do: it rejects nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { fleetAt, noFleet } from '../rig/fleet.ts';
import { subscribe } from '../rig/sse.ts';
import { until } from '../rig/within.ts';

describe.skipIf(noFleet !== undefined)('with a broker of our own', () => {
  test('a seat sees, reads and claims sessions of a worker, before and after a restart of the broker', {
    timeout: 120_000,
  }, async () => {
    const fleet = await fleetAt(newest, []);
    const { laptop } = fleet;
    const devbox = await fleet.join('devbox');
    const desk = await fleet.join('desk', { role: 'seat' });
    const outlines = await subscribe(desk.hub.url, desk.hub.token, { path: '/fleet/events' });
    const seat = await devbox.world.claude({ prompt: 'RUN touch made' });
    await seat.asks('Do you want to proceed?');
    for (const member of [desk, laptop])
      await member.sees(
        ({ host, reason, requests }) => host === 'devbox' && reason === 'permission' && requests.length > 0,
      );
    const { body } = await desk.hub.ask<{ next: { session: { host: string | null } } | null }>(
      'POST',
      '/queue/next',
      {},
    );
    expect(body.next?.session.host).toBe('devbox');
    const own = await devbox.hub.ask<{ sessions: unknown[] }>('GET', '/sessions?live=1');
    expect(own.body.sessions).toHaveLength(1);

    await laptop.world.drover('fleet', 'broker', 'stop');
    await until(
      20_000,
      () => 'devbox does not notice',
      async () => ((await devbox.fleet()).connection === 'unreachable' ? true : undefined),
    );
    await laptop.world.drover('fleet', 'broker', 'start');
    await seat.press('Escape');
    await desk.sees(({ host, reason }) => host === 'devbox' && reason !== 'permission', 40_000);
    await laptop.seesHost('desk', ({ state }) => state === 'online', 40_000);
    outlines.close();

    // The broker logs everything that it rejects.
    const log = join(laptop.world.droverHome, 'fleet', 'broker', 'nats-server.log');
    expect((await readFile(log, 'utf8')).split('\n').filter(line => line.includes('Violation'))).toEqual([]);
    for (const { world } of [laptop, devbox, desk])
      expect(await readFile(join(world.droverHome, 'log', 'daemon.log'), 'utf8')).not.toContain('Violation');
  });
});
