/** A broker that is killed, loses its data or goes back to an earlier state: hosts stay right, and nothing is lost or doubled. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokerCluster } from '../rig/broker.ts';
import type { Session } from '../../src/contract/session.ts';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { awaitAllOutlines, outlinesOf } from '../rig/outlines.ts';
import { until } from '../rig/within.ts';

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('turns that end while the broker is killed, wiped and rolled back are all shown', {
    timeout: 150_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join: joinFleet } = await fleetAt(newest, [broker.url]);
    const devbox = await joinFleet('devbox');
    const read = await outlinesOf(laptop, 'devbox');
    const there = await devbox.world.claude({ prompt: 'SAY one' });
    const here = await laptop.world.claude({ prompt: 'SAY mine' });
    const remote = await laptop.sees(({ host, reason }) => host === 'devbox' && reason === 'stopped');
    expect(remote.id).toMatch(/@devbox$/);
    await laptop.sees(({ fleet, reason }) => fleet === undefined && reason === 'stopped');

    // What a session asks is shown, and is nowhere at the broker.
    const marker = 'marker-4711';
    await there.type(`RUN touch ${marker}`);
    await there.asks('Do you want to proceed?');
    const asking = await laptop.sees(({ id, requests }) => id === remote.id && requests.length > 0);
    expect(asking.requests[0]?.line).toContain(marker);

    await broker.kill();
    await until(
      10_000,
      () => 'the laptop does not notice',
      async () => (await laptop.fleet()).connection === 'unreachable' || undefined,
    );
    // What was known is stale at once.
    const isStale = ({ id, fleet }: Session) => id === remote.id && fleet?.isAway === true;
    await laptop.sees(isStale, 2_000);
    expect((await laptop.world.drover('ls')).stdout).toMatch(/away \S+ s .*devbox.*\(last: needs approval\)/);
    // Each host continues alone.
    await there.press('Escape');
    await devbox.sees(({ reason }) => reason === 'interrupted');
    await there.type('SAY two');
    await devbox.sees(({ reason }) => reason === 'stopped');
    await here.type('SAY mine again');
    await laptop.sees(({ fleet, reason }) => fleet === undefined && reason === 'stopped');
    const copy = join(broker.dir, 'earlier');
    await cp(join(broker.dir, 'data'), copy, { recursive: true });
    await broker.start();
    await laptop.sees(({ id, reason }) => id === remote.id && reason === 'stopped');
    await awaitAllOutlines(read, devbox);

    await broker.kill();
    await rm(join(broker.dir, 'data'), { recursive: true });
    await broker.start();
    await there.type('SAY three');
    await devbox.seesHost('devbox', ({ state }) => state === 'here');
    await laptop.seesHost('devbox', ({ state }) => state === 'online', 25_000);
    await laptop.sees(({ id, reason }) => id === remote.id && reason === 'stopped');
    await awaitAllOutlines(read, devbox);

    await broker.kill();
    await rm(join(broker.dir, 'data'), { recursive: true });
    await cp(copy, join(broker.dir, 'data'), { recursive: true });
    await broker.start();
    await there.type('RUN touch other');
    await there.asks('Do you want to proceed?');
    await laptop.sees(({ id, reason }) => id === remote.id && reason === 'permission', 25_000);
    await awaitAllOutlines(read, devbox);

    await broker.stop();
    expect(await broker.countInStore(remote.id.replace('@devbox', ''))).toBeGreaterThan(0);
    expect(await broker.countInStore(marker)).toBe(0);
    await here.press('Escape');
  });

  test('one of three brokers is killed: the fleet is back within 15 s', { timeout: 120_000 }, async () => {
    const brokers = await brokerCluster();
    onTestFinished(async () => {
      for (const broker of brokers) await broker.close();
    });
    const urls = brokers.map(({ url }) => url);
    const { laptop, join: joinFleet } = await fleetAt(newest, urls, { replicas: 3 });
    const devbox = await joinFleet('devbox');
    const read = await outlinesOf(laptop, 'devbox');
    const there = await devbox.world.claude({ prompt: 'SAY one' });
    const { id } = await laptop.sees(({ host, reason }) => host === 'devbox' && reason === 'stopped');
    const { servers } = await laptop.fleet();
    const used = brokers.find(({ url }) => servers.some(server => url.endsWith(server.replace(/^.*:/, ':'))));
    await (used ?? brokers[0])?.kill();
    const began = performance.now();
    await there.type('RUN touch x');
    await laptop.sees(session => session.id === id && session.reason === 'permission', 15_000);
    expect(performance.now() - began).toBeLessThan(15_000);
    await awaitAllOutlines(read, devbox);
  });
});
