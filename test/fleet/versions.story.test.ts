/** Two versions of drover in one fleet: one lacks a route, and adds an unknown field to everything it signs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { version as newest } from '../../src/version.ts';
import { newest as newestCli } from '../rig/cli.ts';
import { fleetAt, noFleet } from '../rig/fleet.ts';
import { awaitAllOutlines, outlinesOf } from '../rig/outlines.ts';
import { otherBuild } from '../rig/other-build.ts';

const other = '0.0.9';
const accept = 'read,queue,answer,drive';

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  let main = '';

  beforeAll(async () => {
    const built = await otherBuild([
      { file: 'package.json', from: `"version": "${newest}"`, to: `"version": "${other}"` },
      { file: 'src/contract/routes.ts', from: '  ...changesRoutes,\n', to: '' },
      {
        file: 'src/fleet/envelope.ts',
        from: 'const text = JSON.stringify(body);',
        to: 'const text = JSON.stringify({ ...body, later: { of: kind } });',
      },
    ]);
    ({ main } = built);
    return built.remove;
  }, 120_000);

  test('both see and drive each other; unknown requests are reported, and unknown fields are kept', {
    timeout: 120_000,
  }, async () => {
    const config = { drive: 'all' };
    const { laptop, join: joinFleet } = await fleetAt(newestCli, [], { config, world: { main } });
    const devbox = await joinFleet('devbox', { role: 'seat', accept, config });
    const accepted = await laptop.world.drover('fleet', 'accept', 'devbox', accept);
    expect([accepted.stderr, accepted.code]).toEqual(['', 0]);
    expect((await laptop.world.drover('--version')).stdout).toContain(other);

    for (const seat of [laptop, devbox]) {
      await seat.seesHost('laptop', ({ version }) => version === other);
      await seat.seesHost('devbox', ({ version }) => version === newest);
      const { stdout } = await seat.world.drover('fleet', 'ls');
      expect(stdout).toMatch(new RegExp(`^laptop .* ${other.replaceAll('.', '\\.')} `, 'm'));
      expect(stdout).toMatch(new RegExp(`^devbox .* ${newest.replaceAll('.', '\\.')} `, 'm'));
    }
    expect((await devbox.world.drover('doctor')).stdout).toContain(`laptop runs ${other}; this is ${newest}`);

    // Rows, details, messages and outlines go both ways.
    const read = await outlinesOf(devbox, 'laptop');
    for (const [from, to] of [
      [devbox, laptop],
      [laptop, devbox],
    ] as const) {
      await to.world.claude({ prompt: 'SAY one' });
      const { id } = await from.sees(({ host, reason }) => host === to.name && reason === 'stopped');
      const { body: receipt } = await from.hub.send(id, { text: `SAY ${to.name}`, wait: 'answered' });
      expect(receipt).toMatchObject({ status: 'answered', answer: to.name });
      const { body: page } = await from.hub.ask('GET', `/sessions/${id}`);
      expect(page).toMatchObject({ id, host: to.name });
    }
    await awaitAllOutlines(read, laptop);
    for (const seat of [laptop, devbox]) expect((await seat.fleet()).rejected).toBe(0);

    // The list of members keeps what its signer wrote, whoever reads it.
    const roster = await readFile(join(devbox.world.droverHome, 'fleet', 'roster.json'), 'utf8');
    for (const entry of (JSON.parse(roster) as { entries: string[] }).entries)
      expect(Buffer.from(entry, 'base64').toString()).toContain('"later":{"of":"roster"}');

    const { id } = await devbox.sees(({ host }) => host === 'laptop');
    const refused = await devbox.hub.ask('GET', `/sessions/${id}/changes`);
    expect([refused.status, refused.body.error]).toMatchObject([
      501,
      {
        code: 'host_too_old',
        message: `laptop runs drover ${other}, which does not know \`readChanges\`.`,
        hint: 'Update drover on laptop.',
      },
    ]);
    const said = await devbox.world.drover('changes', id);
    expect([said.code, said.stderr]).toEqual([
      7,
      expect.stringMatching(/laptop runs drover[\s\S]*Update drover on laptop/),
    ]);
  });
});
