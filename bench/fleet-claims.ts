/** The claim race: seats with identities of their own claim the sessions of one real daemon, all at the same time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogPage } from '../src/contract/api.ts';
import type { Queue } from '../src/contract/queue.ts';
import { queueEvents } from '../src/session/queue/deferral.ts';
import type { Hub } from '../test/rig/hub.ts';
import { until } from '../test/rig/within.ts';
import { ms, percentile, type Row } from './figures.ts';
import { stop, withFleet } from './fleet.ts';
import { openSimulated } from './fleet-simulated.ts';
import { post } from './world.ts';

const seats = 20;
const sessions = 1_000;

/** Each seat claims each session. They go from session to session together, so each session is claimed by all of them at once. */
export const fleetClaimRows = (): Promise<Row[]> =>
  withFleet(async ({ laptop, join: joinFleet }) => {
    const { hub, world, fleet } = await joinFleet('devbox');
    const { host } = await fleet();
    const ids = Array.from({ length: sessions }, () => randomUUID());
    for (const session_id of ids)
      for (const event of [{ hook_event_name: 'SessionStart' }, stop])
        await post(hub, { session_id, cwd: world.dir(), ...event });
    await until(
      60_000,
      () => 'the sessions do not wait',
      async () => (await hub.ask<Queue>('GET', '/queue')).body.items.length >= sessions || undefined,
    );
    const crowd = await openSimulated(laptop);
    try {
      await crowd.order({ kind: 'open', role: 'seat', hosts: seats, sessions: 0 });
      // Of sessions that are new the host still reads branches and transcripts.
      await pause(5_000);
      const { claims = [] } = await crowd.order({ kind: 'claim', owner: host?.id ?? '', ids });
      const granted = claims.filter(({ got }) => got === 'granted');
      const given = new Set(granted.map(({ id }) => id)).size;
      const twice = granted.length - given;
      // The host's own log says the same.
      const recorded = await countInLog(hub, queueEvents.claim);
      const unanswered = claims.filter(({ got }) => got === 'no host').length;
      const winners = new Set(granted.map(({ seat }) => seat)).size;
      const p95 = (of: typeof claims) =>
        percentile(
          of.map(({ took }) => took),
          95,
        );
      return [
        {
          what: `${seats} seats claim the same ${sessions} sessions of another host, each seat all of them, all seats at once (${claims.length} signed commands)`,
          target: 'none granted twice, p95 <= 50 ms',
          seen: `${given} granted to ${winners} seats, ${twice} twice, ${unanswered} without an answer, p95 ${ms(p95(claims))}, of the granted ${ms(p95(granted))}`,
          met:
            twice === 0 &&
            [given, recorded].every(count => count === sessions) &&
            unanswered === 0 &&
            Math.max(p95(claims), p95(granted)) <= 50,
        },
      ];
    } finally {
      crowd.close();
    }
  });

const countInLog = async (hub: Hub, name: string): Promise<number> => {
  let count = 0;
  for (let after = 0; ; ) {
    const { body } = await hub.ask<LogPage>('GET', `/log?after=${after}`);
    count += body.events.filter(event => event.name === name).length;
    if (body.next === null) return count;
    after = body.next;
  }
};
