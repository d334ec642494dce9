/** Memory of a worker that has published many sessions, against the same daemon on a machine that has joined nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FleetStatus } from '../src/contract/fleet.ts';
import { newest } from '../test/rig/cli.ts';
import { median, type Row } from './figures.ts';
import { stop, withFleet } from './fleet.ts';
import { post, resident } from './world.ts';

const sessions = 5_000;
/** Hooks that are posted at a time. */
const lanes = 20;

export const fleetMemoryRows = (): Promise<Row[]> =>
  withFleet(async ({ laptop, join: joinFleet, open }) => {
    const alone = await open({ version: newest });
    const publisher = await joinFleet('publisher');
    const daemons = [await alone.daemon(), publisher.hub];
    const cwd = alone.dir();
    for (const daemon of daemons)
      await Promise.all(
        Array.from({ length: lanes }, async () => {
          for (let n = 0; n < sessions / lanes; n++) {
            const session_id = randomUUID();
            for (const event of [{ hook_event_name: 'SessionStart' }, stop])
              await post(daemon, { session_id, cwd, ...event });
          }
        }),
      );
    await laptop.seesHost('publisher', ({ sessions: count }) => (count ?? 0) >= sessions, 120_000);
    // Node returns the memory of so many hooks at once only after a minute and a half without work.
    await pause(120_000);
    const samples: number[][] = daemons.map(() => []);
    for (let n = 0; n < 60; n++) {
      daemons.forEach(({ pid }, of) => samples[of]?.push(resident(pid)));
      await pause(1_000);
    }
    const { body } = await publisher.hub.ask<FleetStatus>('GET', '/fleet');
    const [without = 0, joined = 0] = samples.map(median);
    return [
      {
        what: `memory of a daemon that publishes ${sessions} sessions, over the same daemon without a fleet (medians of a minute, after two minutes without events)`,
        target: '<= +25 MB',
        seen: `+${(joined - without).toFixed(0)} MB (${joined.toFixed(0)} / ${without.toFixed(0)})`,
        met: joined - without <= 25 && body.published >= sessions,
      },
    ];
  });
