/** Memory of a worker that has published many sessions, against the same daemon on a machine that has joined nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { versions } from '../test/rig/cli.ts';
import type { Row } from './figures.ts';
import { stop, withFleet } from './fleet.ts';
import { post, resident } from './world.ts';

const sessions = 200;

export const fleetMemoryRows = (): Promise<Row[]> =>
  withFleet(async ({ laptop, join: joinFleet, open }) => {
    const alone = await open({ version: versions[1] });
    const publisher = await joinFleet('publisher');
    const daemons = [await alone.daemon(), publisher.hub];
    for (const daemon of daemons)
      for (let n = 0; n < sessions; n++) {
        const session_id = randomUUID();
        for (const event of [{ hook_event_name: 'SessionStart' }, stop])
          await post(daemon, { session_id, cwd: alone.dir(), ...event });
      }
    await laptop.seesHost('publisher', ({ sessions: count }) => (count ?? 0) >= sessions, 60_000);
    // Both are idle for a while, so that neither holds what the last requests left behind.
    await pause(15_000);
    const [without = 0, joined = 0] = daemons.map(({ pid }) => resident(pid));
    return [
      {
        what: `memory of a daemon that publishes ${sessions} sessions, over the same daemon without a fleet`,
        target: '<= +25 MB',
        seen: `+${(joined - without).toFixed(0)} MB (${joined.toFixed(0)} / ${without.toFixed(0)})`,
        met: joined - without <= 25,
      },
    ];
  });
