/** The fleet: real daemons and a real broker, without TLS. */
import { randomUUID } from 'node:crypto';
import { type Broker, brokerIn } from '../test/rig/broker.ts';
import { newest } from '../test/rig/cli.ts';
import { type Member, openFleetAt, type TestFleet } from '../test/rig/fleet-members.ts';
import { openBrowser } from '../test/rig/browser.ts';
import { hooksOf } from '../test/rig/hook.ts';
import { addressOf } from '../test/rig/page.ts';
import { subscribe } from '../test/rig/sse.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { ms, percentile, type Row } from './figures.ts';
import { workingAt } from './page.ts';

const hooksFired = 200;
const hooksOnPage = 60;
const burst = 10_000;

export interface BenchFleet extends TestFleet {
  broker: Broker;
  /** Opens another world, which ends with the fleet. */
  open: (options: Parameters<typeof openWorld>[0]) => Promise<World>;
}

/** Measures in a fleet of its own, with a real broker and an admin. */
export const withFleet = async (measure: (fleet: BenchFleet) => Promise<Row[]>): Promise<Row[]> => {
  const worlds: World[] = [];
  const open: BenchFleet['open'] = async options => {
    const world = await openWorld(options);
    worlds.push(world);
    return world;
  };
  const broker = await brokerIn();
  try {
    await broker.start();
    return await measure({ ...(await openFleetAt(open, newest, [broker.url])), broker, open });
  } finally {
    for (const world of worlds) await world.close();
    await broker.close();
  }
};

export const fleetDelayRows = (): Promise<Row[]> =>
  withFleet(async ({ laptop, join: joinFleet, broker }) => {
    const devbox = await joinFleet('devbox', { accept: 'read,queue,answer,drive', config: { drive: 'all' } });
    await joinFleet('spare');
    return [
      await measurePageDelay(laptop, devbox),
      ...(await measureRowDelay(laptop, devbox)),
      await measureCatchUp(broker, laptop, devbox),
      await messageOverhead(laptop, devbox),
    ];
  });

/** From a hook on one host to the row on another. */
const measureRowDelay = async (laptop: Member, devbox: Member): Promise<Row[]> => {
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
    // Use a prompt: the end of a turn is tentative at first.
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

/** From a hook on one host to the row on the page of another, in a real Chromium. */
const measurePageDelay = async (laptop: Member, devbox: Member): Promise<Row> => {
  const { fire } = await hooksOf(devbox.world);
  const browser = await openBrowser(laptop.world, { viewport: { width: 1280, height: 800 } });
  const page = await browser.page();
  await page.goto(await addressOf(laptop.world));
  const cwd = devbox.world.dir();
  const seen: number[] = [];
  for (let n = 0; n < hooksOnPage; n++) {
    const id = randomUUID();
    await fire({ session_id: id, hook_event_name: 'SessionStart', source: 'startup', cwd });
    await page.locator(`li[data-id="${id}@devbox"] .row`).waitFor();
    const changed = page.evaluate(workingAt, `${id}@devbox`);
    const began = Date.now();
    await fire({ session_id: id, cwd, hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
    seen.push((await changed) - began);
  }
  await browser.close();
  const p95 = percentile(seen, 95);
  return {
    what: `hook fired on one host -> row changed on the page of another, ${hooksOnPage} hooks, from the start of the hook's process`,
    target: 'p95 <= 120 ms',
    seen: `p50 ${ms(percentile(seen, 50))}, p95 ${ms(p95)}`,
    met: p95 <= 120,
  };
};

export const stop = { hook_event_name: 'Stop', last_assistant_message: 'done', stop_hook_active: false };

/** Measures how soon the row is right after the link was down during many events. */
const measureCatchUp = async (broker: Broker, laptop: Member, devbox: Member): Promise<Row> => {
  const { fire, commands } = await hooksOf(devbox.world);
  await broker.kill();
  const id = randomUUID();
  const cwd = devbox.world.dir();
  const tool = { session_id: id, hook_event_name: 'PostToolUse', tool_name: 'Read', cwd };
  // One shell fires them all by the registered command, ten at a time.
  const script = `for n in $(seq ${burst / 10}); do
    for m in 1 2 3 4 5 6 7 8 9 10; do printf '%s\\n' "$2" | sh -c "$1" & done; wait; done`;
  const args = ['-c', script, 'sh', commands.PostToolUse ?? '', JSON.stringify(tool)];
  await devbox.world.run('sh', args, { ms: 240_000 });
  await fire({ session_id: id, cwd, ...stop });
  await devbox.sees(session => session.id === id && session.reason === 'stopped', 120_000);
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
