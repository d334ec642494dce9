/** A search over the transcripts of all hosts. */
import { describe, expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('each host searches its own; one whose index is off is named', { timeout: 90_000 }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join } = await fleetAt(newest, [broker.url]);
    const devbox = await join('devbox');
    await join('spare');
    for (const { world } of [laptop, devbox])
      expect((await world.drover('sessions', 'index', 'on')).code).toBe(0);
    const { id } = await laptop.sees(
      ({ host, reason }) => host === 'devbox' && reason === 'stopped',
      (await devbox.world.claude({ prompt: 'SAY pelican' }), 30_000),
    );
    const found = await until(
      30_000,
      () => 'devbox finds nothing',
      async () => {
        const { stdout } = await laptop.world.drover('sessions', 'pelican', '--json');
        const answer = JSON.parse(stdout) as { sessions: object[]; missing?: object[] };
        return answer.sessions.length > 0 ? answer : undefined;
      },
    );
    expect(found).toMatchObject({
      sessions: [
        { id, host: 'devbox', transcript: null, found: expect.stringContaining('pelican') as string },
      ],
      missing: [{ host: 'spare', problem: 'The search index is off.' }],
    });
    const said = await laptop.world.drover('sessions', 'pelican');
    expect(said.stdout).toMatch(/ devbox  \S+project/);
    expect(said.stderr).toContain('Not included: spare (The search index is off.)');
    const local = await laptop.hub.ask<{ sessions: object[] }>('GET', '/sessions?q=pelican&scope=local');
    expect(local.body.sessions).toEqual([]);
  });
});
