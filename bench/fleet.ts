/** The fleet: real daemons and a real broker, without TLS. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Next } from '../src/contract/queue.ts';
import { type Broker, brokerIn } from '../test/rig/broker.ts';
import { versions } from '../test/rig/cli.ts';
import { type Member, openFleetAt, type TestFleet } from '../test/rig/fleet-members.ts';
import { openBrowser } from '../test/rig/browser.ts';
import { hooksOf } from '../test/rig/hook.ts';
import { addressOf } from '../test/rig/page.ts';
import { subscribe } from '../test/rig/sse.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { ms, percentile, type Row } from './figures.ts';
import { crowdRows } from './fleet-crowd.ts';
import { workingAt } from './page.ts';
import { post, resident } from './world.ts';

const hooksFired = 200;
const hooksOnPage = 60;
const publishedSessions = 200;
const burst = 10_000;
const seats = 20;
const claims = 1_000;

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
      await measurePageDelay(laptop, devbox),
      ...(await measureRowDelay(laptop, devbox)),
      await publishingMemory(open, laptop, joinFleet),
      await measureCatchUp(broker, laptop, devbox),
      await messageOverhead(laptop, devbox),
      await claimRace(laptop, devbox),
      ...(await crowdRows(laptop)),
    ];
  } finally {
    for (const world of worlds) await world.close();
    await broker.close();
  }
};

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

/** A worker that has published many sessions, against the same daemon on a machine that has joined nothing. */
const publishingMemory = async (
  open: (options: Parameters<typeof openWorld>[0]) => Promise<World>,
  laptop: Member,
  joinFleet: TestFleet['join'],
): Promise<Row> => {
  const alone = await open({ version: versions[1] });
  const publisher = await joinFleet('publisher');
  const daemons = [await alone.daemon(), publisher.hub];
  for (const daemon of daemons)
    for (let n = 0; n < publishedSessions; n++) {
      const session_id = randomUUID();
      for (const event of [{ hook_event_name: 'SessionStart' }, stop])
        await post(daemon, { session_id, cwd: alone.dir(), ...event });
    }
  await laptop.seesHost('publisher', ({ sessions }) => (sessions ?? 0) >= publishedSessions, 60_000);
  // Both are idle for a while, so that neither holds what the last requests left behind.
  await pause(15_000);
  const [without = 0, joined = 0] = daemons.map(({ pid }) => resident(pid));
  await alone.close();
  return {
    what: `memory of a daemon that publishes ${publishedSessions} sessions, over the same daemon without a fleet`,
    target: '<= +25 MB',
    seen: `+${(joined - without).toFixed(0)} MB (${joined.toFixed(0)} / ${without.toFixed(0)})`,
    met: joined - without <= 25,
  };
};

const stop = { hook_event_name: 'Stop', last_assistant_message: 'done', stop_hook_active: false };

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

/** Measures claims: twenty clients ask for the next session of another host at once, several times each. */
const claimRace = async (laptop: Member, devbox: Member): Promise<Row> => {
  for (let n = 0; n < claims; n++) {
    const session_id = randomUUID();
    const cwd = devbox.world.dir();
    await devbox.hub.ask('POST', '/event', { session_id, hook_event_name: 'SessionStart', cwd });
    await devbox.hub.ask('POST', '/event', { session_id, cwd, ...stop });
  }
  const waiting = async () => {
    const { body } = await laptop.hub.ask<{ items: object[] }>('GET', '/queue');
    return body.items.length >= claims || undefined;
  };
  await until(60_000, () => 'the sessions do not wait', waiting);
  // Of sessions that are new both hosts still read branches and transcripts.
  await pause(5_000);
  const given = new Map<string, string>();
  const twice: string[] = [];
  const times: number[] = [];
  const seat = async (client: string) => {
    for (let n = 0; n < claims / seats; n++) {
      const began = performance.now();
      const { body } = await laptop.hub.ask<Next>('POST', '/queue/next', { client });
      times.push(performance.now() - began);
      const id = body.next?.session.id;
      if (id === undefined) continue;
      if (given.has(id) && given.get(id) !== client) twice.push(id);
      given.set(id, client);
    }
  };
  await Promise.all(Array.from({ length: seats }, (_, n) => seat(`seat-${n}`)));
  const p95 = percentile(times, 95);
  return {
    what: `claims of ${seats} clients at once for ${claims} sessions of another host`,
    target: 'none granted twice, p95 <= 50 ms',
    seen: `${given.size} granted, ${twice.length} twice, p50 ${ms(percentile(times, 50))}, p95 ${ms(p95)}`,
    met: twice.length === 0 && given.size === claims && p95 <= 50,
  };
};
