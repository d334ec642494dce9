/** Hosts that are killed, cut off, copied, revoked or have another clock. */
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { startDaemon } from '../rig/drover.ts';
import { proxyTo } from '../rig/tcp-proxy.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const away = 45_000;

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a host that is killed or cut off is away, and correct again when it is back', {
    timeout: 180_000,
  }, async () => {
    const broker = await brokerOfTest();
    const proxy = await proxyTo(Number(new URL(broker.url).port));
    onTestFinished(() => proxy.close());
    const { laptop, join } = await fleetAt(newest, [broker.url]);
    const devbox = await join('devbox');
    const island = await join('island', { through: proxy.port });
    const [there, cut] = [
      await devbox.world.claude({ prompt: 'SAY one' }),
      await island.world.claude({ prompt: 'SAY far' }),
    ];
    for (const name of ['devbox', 'island'])
      await laptop.sees(({ host, reason }) => host === name && reason === 'stopped');

    await devbox.hub.kill9();
    proxy.freeze();
    await cut.type('RUN touch far');
    await laptop.seesHost('devbox', ({ state }) => state === 'away', away);
    await laptop.seesHost('island', ({ state }) => state === 'away', away);
    // The last known state is shown with its age, and `next` sends nobody there.
    for (const name of ['devbox', 'island'])
      await laptop.sees(({ host, fleet }) => host === name && fleet?.isAway === true);
    const next = await laptop.hub.ask<{ next: unknown; deferred: number }>('POST', '/queue/next', {});
    expect(next.body).toMatchObject({ next: null, deferred: 2 });

    proxy.thaw();
    await laptop.sees(({ host, reason }) => host === 'island' && reason === 'permission', 30_000);
    await there.type('RUN touch near');
    await devbox.restart();
    await laptop.sees(
      ({ host, reason, fleet }) => host === 'devbox' && reason === 'permission' && fleet?.isAway === false,
      30_000,
    );
  });

  test('a clock that is an hour ahead, a copied home and a revoked host are handled', {
    timeout: 180_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join } = await fleetAt(newest, [broker.url]);
    const devbox = await join('devbox', { aheadMs: 3_600_000 });
    // The events come by POST: those of hooks would have the times of files, which the real clock writes.
    const id = randomUUID();
    for (const hook_event_name of ['SessionStart', 'UserPromptSubmit', 'Stop'])
      await devbox.hub.ask('POST', '/event', { session_id: id, hook_event_name, cwd: devbox.world.dir() });
    const session = await laptop.sees(({ host, reason }) => host === 'devbox' && reason === 'stopped');
    const { skew } = await laptop.seesHost('devbox', host => Math.abs((host.skew ?? 0) - 3_600_000) < 5_000);
    expect(skew).toBeGreaterThan(3_590_000);
    expect(Math.abs(session.since - Date.now())).toBeLessThan(60_000);
    // A command does not expire on the way.
    const said = await laptop.hub.ask('POST', `/queue/${session.id}/snooze`, { seconds: 600 });
    expect([said.status, said.body]).toMatchObject([200, { deferred: 'snoozed' }]);

    const copied = await world({ version: newest });
    const isOfProcess = /(?:\.sock|daemon\.(?:json|pid|lock)|starting)$/;
    await cp(devbox.world.droverHome, copied.droverHome, {
      recursive: true,
      filter: file => !isOfProcess.test(file),
    });
    const copy = await startDaemon(copied);
    onTestFinished(async () => void (await copy.stop()));
    await until(
      20_000,
      () => 'the copy does not notice',
      async () => {
        const { stdout } = await copied.drover('fleet', 'ls', '--json');
        return (
          /is a copy/.test((JSON.parse(stdout) as { problem: string | null }).problem ?? '') || undefined
        );
      },
    );
    await laptop.seesHost('devbox', ({ state }) => state === 'online');
    // Only the original executes commands.
    const skipped = await laptop.hub.ask('POST', `/queue/${session.id}/skip`);
    expect(skipped.status).toBe(200);
    expect((await devbox.world.drover('audit', '--json')).stdout).toContain('"skip"');
    const ofCopy = (await copied.drover('audit', '--json')).stdout;
    expect(ofCopy).toContain('"snooze"');
    expect(ofCopy).not.toContain('"skip"');

    const revoked = await laptop.world.drover('fleet', 'revoke', 'devbox');
    expect(revoked.code).toBe(0);
    await until(
      10_000,
      () => 'the rows are still there',
      async () => {
        const { body } = await laptop.hub.ask<{ sessions: { host: string | null }[] }>(
          'GET',
          '/sessions?live=1',
        );
        return body.sessions.every(({ host }) => host === null) || undefined;
      },
    );
    expect((await laptop.hub.ask('GET', `/sessions/${session.id}`)).status).toBe(404);
  });
});
