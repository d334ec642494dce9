/** A machine with its own network, which fails silently: packets are dropped, and no connection is closed. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { fleetAt, noFleet } from '../rig/fleet.ts';
import { noNetwork, openNetwork } from '../rig/network.ts';
import { awaitAllOutlines, outlinesOf } from '../rig/outlines.ts';
import { noSshd } from '../rig/sshd.ts';

const reason = noFleet ?? noSshd ?? noNetwork();
if (reason) console.warn(`rig: ${reason}, so the story of a lost network is left out`);

/** 30 s after its last heartbeat, plus the delay of a busy machine. */
const away = 33_000;

describe.skipIf(reason !== undefined)('over SSH, into a network namespace', () => {
  test('a machine that is cut off is away and works on alone; afterwards nothing is lost or doubled', {
    timeout: 180_000,
  }, async () => {
    const network = await openNetwork();
    onTestFinished(() => network.close());
    const { laptop, add } = await fleetAt(newest, []);
    const island = await add('island', {
      accept: 'read,queue,drive',
      config: { drive: 'all' },
      world: { network },
    });
    const read = await outlinesOf(laptop, 'island');
    const seat = await island.world.claude({ prompt: 'SAY far' });
    const { id } = await laptop.sees(({ host, reason: why }) => host === 'island' && why === 'stopped');
    await awaitAllOutlines(read, island);

    network.cut();
    const cutAt = performance.now();
    await seat.type('RUN touch made');
    await seat.asks('Do you want to proceed?');
    await laptop.seesHost('island', ({ state }) => state === 'away', away);
    expect(performance.now() - cutAt).toBeLessThan(away);
    // The last known state is shown with its age, and `next` sends nobody there.
    await laptop.sees(
      ({ id: one, reason: why, fleet }) => one === id && why === 'stopped' && fleet?.isAway === true,
    );
    expect((await laptop.world.drover('ls')).stdout).toMatch(/away \S+ s .*island.*\(last: (?:done|idle)\)/);
    const next = await laptop.hub.ask<{ next: unknown; deferred: number }>('POST', '/queue/next', {});
    expect(next.body).toMatchObject({ next: null, deferred: 1 });
    for (const [method, path, body] of [
      ['POST', `/sessions/${id}/message`, { text: 'SAY no' }],
      ['POST', `/queue/${id}/snooze`, { seconds: 600 }],
      ['GET', `/sessions/${id}/screen`, undefined],
    ] as const) {
      const began = performance.now();
      const { body: refused } = await laptop.hub.ask(method, path, body);
      expect([path, refused.error?.code]).toEqual([path, 'host_away']);
      expect(performance.now() - began).toBeLessThan(1_000);
    }
    // It continues alone: its list is right, and its turn ends.
    expect((await island.world.drover('ls')).stdout).toContain('Bash: touch made');
    await seat.press('Enter');
    await island.sees(({ reason: why }) => why === 'stopped');
    expect((await island.world.drover('ls')).stdout).toMatch(/done|idle/);
    await seat.type('RUN touch other');
    await seat.asks('Do you want to proceed?');

    network.restore();
    const restoredAt = performance.now();
    await laptop.sees(
      ({ id: one, reason: why, fleet }) => one === id && why === 'permission' && fleet?.isAway === false,
      60_000,
    );
    expect(performance.now() - restoredAt).toBeLessThan(30_000);
    await awaitAllOutlines(read, island);
    await seat.press('Enter');
    await laptop.sees(({ id: one, reason: why }) => one === id && why === 'stopped');
    const { body: receipt } = await laptop.hub.send(id, { text: 'SAY back', wait: 'answered' });
    expect(receipt).toMatchObject({ status: 'answered', answer: 'back' });
    await awaitAllOutlines(read, island);
  });
});
