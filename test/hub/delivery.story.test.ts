/** No event lost or doubled, and how fast: the real emitter against a daemon that is killed, down or busy. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { crowdOf } from '../rig/crowd.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { awaitEmptySpool, awaitEvents, type Line, readHookEvents } from '../rig/log.ts';
import { type Frame, subscribe, type Subscription } from '../rig/sse.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

const numbers = (lines: Line[], session: string) =>
  lines.filter(line => line.sessionId === session).map(({ payload }) => payload.n);

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

const percentile = (values: number[], p: number): number =>
  values.sort((a, b) => a - b)[Math.floor((values.length * p) / 100)] ?? Number.NaN;

const isHook = ({ event }: Frame) => event === 'hook';

/** Waits for this many hook frames of a stream in all. */
const heard = async (stream: Subscription, count: number, ms = 20_000): Promise<void> => {
  while (stream.frames.filter(isHook).length < count) await stream.next(isHook, ms);
};

const statusOf = async ({ drover }: World) =>
  JSON.parse((await drover('status', '--json')).stdout) as {
    spool: { dropped: number; unsent: number; full: boolean };
  };

test('two kills during 304 hooks of 8 sessions: none is lost or doubled, and each session stays in order', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  let daemon = await opened.daemon();
  const lanes = upTo(8).map(async lane => {
    for (let n = 0; n < 38; n++)
      await fire({ session_id: sessionId(lane), hook_event_name: 'PostToolUse', n, pad: 'x'.repeat(900) });
  });
  for (const count of [60, 140]) {
    await heard(await subscribe(daemon.url, daemon.token, { after: 0 }), count);
    await daemon.kill9();
    daemon = await opened.daemon();
  }
  await Promise.all(lanes);
  await heard(await subscribe(daemon.url, daemon.token, { after: 0 }), 304);
  await awaitEmptySpool(opened);
  const lines = await readHookEvents(opened);
  expect(lines.length).toBe(304);
  for (const lane of upTo(8)) expect(numbers(lines, sessionId(lane))).toEqual(upTo(38));
  expect(await statusOf(opened)).toMatchObject({ spool: { dropped: 0, aside: 0, files: 0 } });
});

test('2,000 events spooled while the daemon was down are in the log soon after its start, in order, once', async () => {
  const opened = await world({ version });
  const { commands } = await hooksOf(opened);
  const loop = `n=0; while [ $n -lt 500 ]; do
    printf '{"session_id":"%s","hook_event_name":"PostToolUse","n":%d}\\n' "$1" $n | sh -c "$2"; n=$((n + 1)); done`;
  const sessions = upTo(4).map(sessionId);
  const shells = sessions.map(id =>
    opened.run('sh', ['-c', loop, 'sh', id, commands.PostToolUse ?? ''], { ms: 90_000 }),
  );
  for (const shell of shells) expect(await shell).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await readdir(join(opened.droverHome, 'spool'))).length).toBe(2_000);
  const began = performance.now();
  const daemon = await opened.daemon();
  await heard(await subscribe(daemon.url, daemon.token, { after: 0 }), 2_000, 60_000);
  const took = performance.now() - began;
  await awaitEmptySpool(opened);
  const lines = await readHookEvents(opened);
  expect(lines.length).toBe(2_000);
  for (const id of sessions) expect(numbers(lines, id)).toEqual(upTo(500));
  // The benchmark allows 3 s for 10,000; other stories run beside this one.
  expect(took).toBeLessThan(15_000);
}, 240_000);

test('at 50 hooks a second, 5 readers get half of them within 50 ms and 99 % within 250 ms', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const { url, token } = await opened.daemon();
  const streams = await Promise.all(upTo(5).map(() => subscribe(url, token)));
  const round = async () => {
    const fired: number[] = [];
    const took: number[] = [];
    const floor: number[] = [];
    const readers = streams.map(async stream => {
      for (let count = 0; count < 100; count++) {
        const { n } = JSON.parse((await stream.next(isHook)).data) as { n: number };
        took.push(performance.now() - (fired[n] ?? Number.NaN));
      }
    });
    const start = performance.now();
    const at = (ms: number) => new Promise(done => setTimeout(done, start + ms - performance.now()));
    const hooks = upTo(100).map(async n => {
      await at(n * 20);
      fired[n] = performance.now();
      await fire({ session_id: sessionId(n % 5), hook_event_name: 'PostToolUse', n });
    });
    const bare = upTo(100).map(async n => {
      await at(n * 20 + 10);
      const began = performance.now();
      await opened.run('sh', ['-c', 'exit 0']);
      floor.push(performance.now() - began);
    });
    await Promise.all([...hooks, ...bare, ...readers]);
    expect(took.length).toBe(500);
    return [50, 99].map(p => ({ p, hook: percentile(took, p), floor: percentile(floor, p) }));
  };
  // Other stories run beside this one. A hook that does nothing, fired in between, shows how much they slow down.
  const isMet = (figures: { p: number; hook: number; floor: number }[]) =>
    figures.every(({ p, hook, floor }) => hook <= Math.max(p === 50 ? 50 : 250, 5 * floor));
  let figures = await round();
  for (let again = 0; again < 3 && !isMet(figures); again++) figures = await round();
  expect(figures).toSatisfy(isMet);
});

test('of 200 readers, one that stalls is cut off and resumes, and the others miss nothing', async () => {
  const opened = await world({ version });
  const { url, token } = await opened.daemon();
  const post = async (n: number) => {
    const body = JSON.stringify({
      session_id: sessionId(1),
      hook_event_name: 'PostToolUse',
      n,
      pad: 'x'.repeat(200_000),
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/event`, { method: 'POST', headers, body })).status).toBe(200);
  };
  const stalled = await subscribe(url, token);
  await stalled.next();
  stalled.stall();
  const crowd = await crowdOf(199, url, token);
  const cut = async () => {
    const page = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    return Number(/^drover_streams_cut_total (\d+)$/m.exec(await page.text())?.[1]);
  };
  let sent = 0;
  while ((await cut()) === 0 && sent < 100) {
    await post(sent++);
    await crowd.have(sent);
  }
  await post(sent++);
  await crowd.have(sent);
  expect(await cut()).toBe(1);
  expect(crowd.gone()).toBe(0);
  stalled.flow();
  await stalled.ended;
  const lastEventId = stalled.frames.findLast(({ id }) => id !== undefined)?.id ?? '0';
  const again = await subscribe(url, token, { lastEventId });
  await again.next(({ event }) => event === 'state');
  const whole = stalled.frames.slice(0, stalled.frames.findLastIndex(({ id }) => id === lastEventId) + 1);
  const got = [...whole, ...again.frames].filter(isHook);
  expect(got.map(({ data }) => (JSON.parse(data) as { n: number }).n)).toEqual(upTo(sent));
});

test('a hook posts to a hub on another host, which treats its pane and process as hints; an absent hub only costs a count', async () => {
  const there = await world({ version });
  const here = await world({ version });
  const hub = await there.daemon();
  const { fire } = await hooksOf(here);
  const env = {
    DROVER_URL: hub.url,
    DROVER_TOKEN: hub.token,
    TMUX: '/tmp/tmux-1/default,4711,0',
    TMUX_PANE: '%7',
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_PROJECT_DIR: '/a "quoted" \\ dir',
  };
  const payload = { session_id: sessionId(1), hook_event_name: 'PostToolUse', text: 'zwei Wörter' };
  await fire({ ...payload, n: 0 }, { env });
  const words = { entrypoint: 'cli', projectDir: '/a "quoted" \\ dir' };
  const hints = { posted: true, hintPane: '%7', hintSocket: '/tmp/tmux-1/default' };
  const [told] = await readHookEvents(there);
  expect(told).toMatchObject({ payload: { ...payload, n: 0 }, context: { ...words, ...hints } });
  for (const name of ['pid', 'pane', 'socket', 'serverPid']) expect(told?.context).not.toHaveProperty(name);
  expect(await readdir(join(here.droverHome, 'spool'))).toEqual([]);
  expect(await readdir(join(here.droverHome, 'outgoing'))).toEqual([]);

  await hub.stop();
  await fire({ ...payload, n: 1 }, { env });
  expect((await readdir(join(here.droverHome, 'spool'))).length).toBe(1);
  expect(await readdir(join(here.droverHome, 'outgoing'))).toEqual([]);
  await here.daemon();
  await awaitEmptySpool(here);
  const spot = { socket: '/tmp/tmux-1/default', serverPid: 4711, pane: '%7', pid: process.pid };
  expect(await readHookEvents(here)).toMatchObject([
    { payload: { ...payload, n: 1 }, context: { ...words, ...spot } },
  ]);
  expect((await here.drover('status')).stdout).toContain('1 not delivered to a remote hub');
  await fire({ ...payload, n: 2 }, { env });
  await fire({ ...payload, n: 3 });
  expect((await awaitEvents(here, 3)).length).toBe(3);
  expect((await statusOf(here)).spool).toMatchObject({ unsent: 2, dropped: 0 });
});

test('every event dropped by a full spool is counted, also under races, and the daemon removes the flag', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const hook = (n: number) => fire({ session_id: sessionId(1), hook_event_name: 'PostToolUse', n });
  await hook(0);
  await writeFile(join(opened.droverHome, 'spool.full'), '');
  const lanes = upTo(2).map(async () => {
    for (const n of upTo(20)) await hook(n + 1);
  });
  await Promise.all(lanes);
  expect(await readFile(join(opened.droverHome, 'dropped'), 'utf8')).toBe('.'.repeat(40));
  expect((await readdir(join(opened.droverHome, 'spool'))).length).toBe(1);
  await opened.daemon();
  await until(
    10_000,
    () => 'the flag stays',
    () => !existsSync(join(opened.droverHome, 'spool.full')) || undefined,
  );
  await hook(99);
  expect((await awaitEvents(opened, 2)).length).toBe(2);
  expect((await statusOf(opened)).spool).toMatchObject({ dropped: 40, full: false });
  expect((await opened.drover('status')).stdout).toMatch(/^lost +40 dropped, 0 moved aside/m);
});
