/** The fleet: three real daemons, a real broker, and 100 simulated hosts with 50 sessions each on the real modules. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { type Broker, brokerIn } from '../test/rig/broker.ts';
import { versions } from '../test/rig/cli.ts';
import { type Member, openFleetAt } from '../test/rig/fleet-members.ts';
import { hooksOf } from '../test/rig/hook.ts';
import { subscribe } from '../test/rig/sse.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { ms, percentile, type Row } from './figures.ts';

const hosts = 100;
const sessionsEach = 50;
const hooksFired = 200;
const perSecond = 2_000;
const seconds = Number(process.env.DROVER_BENCH_SECONDS ?? 60);
const burst = 10_000;

export const fleetRows = async (): Promise<Row[]> => {
  const worlds: World[] = [];
  const open = async (options: Parameters<typeof openWorld>[0]) => {
    const world = await openWorld(options);
    worlds.push(world);
    return world;
  };
  const broker = await brokerIn();
  try {
    await broker.start();
    const { laptop, join: joinFleet } = await openFleetAt(open, versions[1], [broker.url]);
    const devbox = await joinFleet('devbox', { accept: 'read,queue,answer,drive', config: { drive: 'all' } });
    await joinFleet('spare');
    return [
      ...(await travelled(laptop, devbox)),
      await caughtUp(broker, laptop, devbox),
      await messageOverhead(laptop, devbox),
      ...(await crowded(laptop)),
    ];
  } finally {
    for (const world of worlds) await world.close();
    await broker.close();
  }
};

/** From a hook on one host to the row on another. */
const travelled = async (laptop: Member, devbox: Member): Promise<Row[]> => {
  const { fire } = await hooksOf(devbox.world);
  const stream = await subscribe(laptop.hub.url, laptop.hub.token, { path: '/events?only=state' });
  const cwd = devbox.world.dir();
  const seen: number[] = [];
  for (let n = 0; n < hooksFired; n++) {
    const id = randomUUID();
    const isIn = (state: string) =>
      stream.next(({ data }) => data.includes(id) && data.includes(`"state":"${state}"`), 10_000);
    const started = isIn('ready');
    await fire({ session_id: id, hook_event_name: 'SessionStart', source: 'startup', cwd });
    await started;
    // A prompt, because the end of a turn is believed only after a moment.
    const arrived = isIn('working');
    const began = performance.now();
    const fired = fire({ session_id: id, cwd, hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
    await arrived;
    seen.push(performance.now() - began);
    await fired;
  }
  stream.close();
  const p95 = percentile(seen, 95);
  return [
    {
      what: `hook fired on one host -> row on another (SSE), ${hooksFired} hooks, from the start of the hook's process`,
      target: 'p95 <= 40 ms',
      seen: `p50 ${ms(percentile(seen, 50))}, p95 ${ms(p95)}`,
      met: p95 <= 40,
    },
  ];
};

const stop = { hook_event_name: 'Stop', last_assistant_message: 'done', stop_hook_active: false };

/** The link is down while many events come in; then the row must be right. */
const caughtUp = async (broker: Broker, laptop: Member, devbox: Member): Promise<Row> => {
  const { fireAll } = await hooksOf(devbox.world);
  await broker.kill();
  const id = randomUUID();
  const cwd = devbox.world.dir();
  for (let sent = 0; sent < burst; sent += 100) {
    const shots = Array.from({ length: 100 }, (_, n) => ({
      payload: { session_id: id, hook_event_name: 'PostToolUse', tool_name: 'Read', cwd, n: sent + n },
      pid: 100_000 + sent + n,
    }));
    await fireAll(shots);
  }
  const { fire } = await hooksOf(devbox.world);
  await fire({ session_id: id, cwd, ...stop });
  await devbox.sees(session => session.id === id && session.reason === 'stopped', 60_000);
  await broker.start();
  const began = performance.now();
  await laptop.sees(session => session.id.startsWith(id) && session.reason === 'stopped', 30_000);
  const took = performance.now() - began;
  return {
    what: `a host without its broker for ${burst} events, broker back -> the other host shows the right state`,
    target: '<= 5 s',
    seen: ms(took),
    met: took <= 5_000,
  };
};

/** A message to a session of another host against one to the same session on its own host. */
const messageOverhead = async (laptop: Member, devbox: Member): Promise<Row> => {
  const seat = await devbox.world.claude({ prompt: 'SAY ready' });
  const { sessionId } = await seat.file(file => file.status === 'idle');
  const remote = await laptop.sees(({ id, reason }) => id.startsWith(sessionId) && reason === 'stopped');
  const times = { local: [] as number[], remote: [] as number[] };
  for (let n = 0; n < 40; n++) {
    const isLocal = n % 2 === 0;
    const [hub, id] = isLocal ? [devbox.hub, sessionId] : [laptop.hub, remote.id];
    const began = performance.now();
    const { body } = await hub.send(id, { text: `SAY ${n}`, wait: 'submitted' });
    if (body.error) throw new Error(body.error.message);
    times[isLocal ? 'local' : 'remote'].push(performance.now() - began);
    await devbox.hub.is(
      sessionId,
      ({ reason, detail }) => reason === 'stopped' && detail?.text === String(n),
    );
  }
  const [local, far] = [percentile(times.local, 50), percentile(times.remote, 50)];
  return {
    what: 'message to a session of another host until `submitted`, over the same on its own host (20 each, medians)',
    target: '<= +30 ms',
    seen: `${ms(local)} -> ${ms(far)}`,
    met: far - local <= 30,
  };
};

/** What a viewer does with 5,000 rows, at rest and while they change. */
const crowded = async (laptop: Member): Promise<Row[]> => {
  const file = join(laptop.world.droverHome, 'fleet', 'fleet.json');
  const { fleet, fleetKey, fleetSecret, servers } = JSON.parse(await readFile(file, 'utf8')) as Membership;
  const crowd = await simulated();
  try {
    await crowd.order({
      kind: 'open',
      fleet: { fleet, fleetKey, fleetSecret, servers },
      hosts,
      sessions: sessionsEach,
    });
    const all = hosts * sessionsEach;
    // A daemon that has seen none of them.
    await laptop.restart();
    await laptop.seesHost('sim0', ({ state }) => state === 'online');
    await pause(2_000);
    const before = await memoryOf(laptop.hub.pid);
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
    const viewing = (await memoryOf(laptop.hub.pid)) - before;
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
        seen: `+${(viewing / 1e6).toFixed(0)} MB`,
        met: viewing <= 60e6,
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
};

interface Membership {
  fleet: string;
  fleetKey: string;
  fleetSecret: string;
  servers: string[];
}

const simulated = async () => {
  const outfile = '.cache/run/simulated-hosts.mjs';
  await build({
    entryPoints: ['test/fleet/simulated-hosts.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.sh': 'text' },
    define: { DROVER_VERSION: '"0.0.0"' },
    logLevel: 'warning',
  });
  const child: ChildProcess = spawn(process.execPath, [outfile], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdin || !child.stdout) throw new Error('no pipes');
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout });
  return {
    order: (order: object) =>
      new Promise<{ made: number; published: number }>((resolve, reject) => {
        child.once('exit', () => reject(new Error('The simulated hosts ended.')));
        lines.once('line', line => resolve(JSON.parse(line) as { made: number; published: number }));
        stdin.write(`${JSON.stringify(order)}\n`);
      }),
    close: () => void child.kill(),
  };
};

const memoryOf = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
