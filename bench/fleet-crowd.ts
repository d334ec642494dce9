/** What a viewer of a fleet does with 5,000 rows: 100 simulated hosts with 50 sessions each, on the real modules. */
import { setTimeout as pause } from 'node:timers/promises';
import { subscribe } from '../test/rig/sse.ts';
import { until } from '../test/rig/within.ts';
import { ms, percentile, type Row } from './figures.ts';
import { withFleet } from './fleet.ts';
import { openSimulated } from './fleet-simulated.ts';
import { resident } from './world.ts';

const hosts = 100;
const sessionsEach = 50;
const perSecond = 2_000;
const seconds = Number(process.env.DROVER_BENCH_SECONDS ?? 60);

/** What a viewer does with 5,000 rows, unchanged and while they change. */
export const fleetCrowdRows = (): Promise<Row[]> =>
  withFleet(async ({ laptop, join: joinFleet }) => {
    for (const name of ['devbox', 'spare']) await joinFleet(name);
    const crowd = await openSimulated(laptop);
    try {
      await crowd.order({ kind: 'open', role: 'worker', hosts, sessions: sessionsEach });
      const all = hosts * sessionsEach;
      // A daemon that has seen none of them.
      await laptop.restart();
      await laptop.seesHost('sim0', ({ state }) => state === 'online');
      await pause(2_000);
      const before = resident(laptop.hub.pid);
      const delays: number[] = [];
      let isOver = false;
      const asking = (async () => {
        while (!isOver) {
          const began = performance.now();
          await laptop.hub.ask('GET', '/sessions?scope=local');
          delays.push(performance.now() - began);
          await pause(5);
        }
      })();
      const began = performance.now();
      const stream = await subscribe(laptop.hub.url, laptop.hub.token, { path: '/events?only=state' });
      await until(
        30_000,
        () => 'rows are missing',
        async () => {
          const { body } = await laptop.hub.ask<{ received: number }>('GET', '/fleet');
          return body.received >= all || undefined;
        },
      );
      const took = performance.now() - began;
      isOver = true;
      await asking;
      await pause(2_000);
      const viewing = resident(laptop.hub.pid) - before;
      const known = stream.frames.length;
      const { body: first } = await laptop.hub.ask<{ received: number }>('GET', '/fleet');
      const { made, published } = await crowd.order({ kind: 'change', perSecond, seconds });
      const wanted = first.received + published - all;
      const late = performance.now();
      await until(
        30_000,
        () => 'changes are missing',
        async () => {
          const { body } = await laptop.hub.ask<{ received: number }>('GET', '/fleet');
          return body.received >= wanted || undefined;
        },
      );
      const behind = performance.now() - late;
      stream.close();
      return [
        {
          what: `a new viewer has ${all} verified rows of ${hosts} hosts (${known} frames); local requests meanwhile`,
          target: '<= 2 s, requests <= 50 ms',
          seen: `${ms(took)}, requests p95 ${ms(percentile(delays, 95))}, longest ${ms(Math.max(...delays))}`,
          met: took <= 2_000 && Math.max(...delays) <= 50,
        },
        {
          what: `memory of the viewing daemon, ${all} rows`,
          target: '<= +60 MB',
          seen: `+${viewing.toFixed(0)} MB`,
          met: viewing <= 60,
        },
        {
          what: `row changes sustained for ${seconds} s, verified by a viewer (${made} made)`,
          target: `>= ${perSecond}/s`,
          seen: `${Math.round(made / seconds)}/s, the viewer ${ms(behind)} behind at the end`,
          met: made >= perSecond * seconds && behind <= 1_000,
        },
      ];
    } finally {
      crowd.close();
    }
  });
