/** The life of the daemon: up, down, one at a time, restarted under load. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { type Frame, subscribe } from '../rig/sse.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

interface Registration {
  pid: number;
  url: string;
  version: string;
}

const registration = async ({ droverHome }: World): Promise<Registration> =>
  JSON.parse(await readFile(join(droverHome, 'daemon.json'), 'utf8')) as Registration;

const left = ({ droverHome }: World): string[] =>
  ['daemon.json', 'daemon.pid', 'drover.sock'].filter(name => existsSync(join(droverHome, name)));

test('up, status, up again, down, status', async () => {
  const opened = await world({ version });
  const { drover } = opened;
  const up = await drover('up', '--port', '0');
  const { pid, url } = await registration(opened);
  expect(up).toEqual({ code: 0, stdout: `Running: ${url} (pid ${pid})\n`, stderr: '' });
  const status = await drover('status');
  expect(status.code).toBe(0);
  expect(status.stdout).toMatch(new RegExp(`^up .+ pid ${pid}, ${url}$`, 'm'));
  // As a hook on macOS leaves it that has found no daemon where there is one.
  const mark = join(opened.droverHome, 'starting');
  await mkdir(mark);
  expect(await drover('up', '--port', '0')).toEqual({
    code: 0,
    stdout: `Already running: ${url} (pid ${pid})\n`,
    stderr: '',
  });
  expect(existsSync(mark)).toBe(false);
  const down = await drover('down');
  expect([down.code, down.stderr]).toEqual([0, '']);
  expect(down.stdout).toMatch(/^Stopped\. Hooks write to the spool/);
  await until(
    5_000,
    () => 'it still runs',
    async () => (await opened.processes()).length === 0 || undefined,
  );
  expect(left(opened)).toEqual([]);
  const after = await drover('status');
  expect(after.code).toBe(3);
  expect(after.stdout).toMatch(/^down +Start it with `drover up`/);
  expect(await drover('down')).toEqual({ code: 0, stdout: 'Not running\n', stderr: '' });
  expect((await drover('status', '--json')).stdout).toMatch(/^\{"up":false/);
});

test('simultaneous starts get the same daemon', async () => {
  const { drover } = await world({ version });
  for (let round = 0; round < 3; round++) {
    const ups = await Promise.all([1, 2, 3].map(() => drover('up', '--port', '0')));
    expect(ups.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
    expect(new Set(ups.map(({ stdout }) => stdout.replace('Already running', 'Running'))).size).toBe(1);
    expect((await drover('down')).code).toBe(0);
  }
});

test('a command restarts the daemon after a crash, but not after `drover down`', async () => {
  const opened = await world({ version });
  const { drover } = opened;
  await drover('up', '--port', '0');
  const crashed = await registration(opened);
  process.kill(crashed.pid, 'SIGKILL');
  const listed = await Promise.all([drover('ls', '--json'), drover('ls', '--json'), drover()]);
  expect(listed.map(({ code, stderr }) => [code, ...(code ? [stderr] : [])])).toEqual([[0], [0], [0]]);
  // A caller a moment later finds it up again.
  expect(
    new Set(
      listed
        .map(({ stderr }) => stderr)
        .join('')
        .split('\n'),
    ),
  ).toEqual(new Set(['Starting the daemon …', '']));
  expect(listed.map(({ stdout }) => stdout).slice(0, 2)).toEqual(['{"sessions":[]}\n', '{"sessions":[]}\n']);
  expect((await registration(opened)).pid).not.toBe(crashed.pid);
  expect(await drover('events')).toMatchObject({ code: 0, stderr: '' });
  await drover('down');
  for (const verb of ['ls', 'next', 'events', 'stats'])
    expect([verb, (await drover(verb)).code]).toEqual([verb, 3]);
  expect(left(opened)).toEqual([]);
});

test('in the foreground it prints where it listens, what it found and what to do next; Ctrl-C stops it', async () => {
  const opened = await world({ version });
  const pane = (
    await opened.tmux(['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '220', '-y', '50', 'sh'])
  ).trim();
  const screen = () => opened.tmux(['capture-pane', '-p', '-J', '-t', pane]);
  const sees = (wanted: RegExp) => {
    let text = '';
    return until(
      15_000,
      () => `${wanted} is not on screen:\n${text.trimEnd()}`,
      async () => {
        text = await screen();
        return wanted.test(text) ? text : undefined;
      },
    );
  };
  const line = `node '${MAIN}' up --foreground --port 0; echo "it ended with $?"`;
  await opened.tmux(['send-keys', '-t', pane, line, 'Enter']);
  const greeting = await sees(/^Next: /m);
  const { url, pid } = await registration(opened);
  expect(greeting).toContain(`drover is listening on ${url}\n`);
  expect(greeting).toMatch(/^ {2}tmux +tmux \d/m);
  expect(greeting).toMatch(new RegExp(`^ {2}claude +${version} at `, 'm'));
  expect(greeting).toMatch(/^ {2}hooks +not registered$/m);
  expect(greeting).toMatch(/^ {2}sessions +0 live, 0 known$/m);
  // No `drover` on PATH leads to this file, so the message names the file itself.
  const next = /^Next: `(node .+\/main\.js) setup` .+ Ctrl-C stops the daemon\.$/m.exec(greeting)?.[1];
  expect((await opened.run('sh', ['-c', `${next} --version`])).stdout).toMatch(/^\d+\.\d+\.\d+/);

  await opened.tmux(['send-keys', '-t', pane, 'C-c']);
  expect(await sees(/^it ended with \d+$/m)).toMatch(/Stopped\nit ended with 0$/m);
  expect(left(opened)).toEqual([]);
  expect(await opened.processes()).not.toContain(pid);
});

test('a second daemon names the one that uses the home; a killed one leaves no lock', async () => {
  const opened = await world({ version });
  const first = await opened.daemon();
  const second = await opened.run(process.execPath, [MAIN, 'up', '--foreground', '--port', '0']);
  expect(second.code).toBe(6);
  expect(second.stderr).toContain(`${opened.droverHome} (pid ${first.pid}, ${first.url})`);
  expect(await registration(opened)).toMatchObject({ pid: first.pid, url: first.url });
  expect((await opened.drover('status')).code).toBe(0);

  await first.kill9();
  expect(left(opened)).toEqual(['daemon.json', 'daemon.pid', 'drover.sock']);
  expect((await opened.drover('status')).code).toBe(3);
  const third = await opened.daemon();
  expect((await registration(opened)).pid).toBe(third.pid);
  expect((await opened.drover('status')).code).toBe(0);
  expect(await third.stop()).toBe(0);
});

test('a killed daemon is started again by the next hook, and one that was stopped is not', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const first = await opened.daemon({ revivable: true });
  const stop = { session_id: sessionId(1), hook_event_name: 'Stop', cwd: opened.dir() };
  await first.kill9();
  await fire(stop);
  const second = await until(
    20_000,
    () => 'no daemon was started',
    async () => {
      const { pid } = await registration(opened);
      return pid !== first.pid && (await opened.drover('status')).code === 0 ? pid : undefined;
    },
  );
  const events = await opened.drover('events', sessionId(1), '--after', '0', '--json');
  expect(events.stdout).toContain('"Stop"');
  expect((await opened.drover('down')).code).toBe(0);
  await until(
    5_000,
    () => `${second} still runs`,
    async () => (await opened.processes()).length === 0 || undefined,
  );
  await fire(stop);
  expect(await opened.processes()).toEqual([]);
  expect(left(opened)).toEqual([]);
  expect((await opened.drover('status')).code).toBe(3);
});

test('a port that another program uses is left alone, with a message', async () => {
  const stranger = createServer((_, response) => response.end('stranger'));
  await new Promise<void>(done => stranger.listen(0, '127.0.0.1', done));
  onTestFinished(() => void stranger.close());
  const { port } = stranger.address() as AddressInfo;
  const opened = await world({ version });
  const daemon = await opened.daemon({ port });
  expect(daemon.url).not.toContain(`:${port}`);
  expect(await registration(opened)).toMatchObject({ url: daemon.url });
  await until(
    5_000,
    () => `it said: ${daemon.said()}`,
    () => (daemon.said().includes('\n') ? true : undefined),
  );
  expect(daemon.said()).toContain(`is listening on ${daemon.url} (port ${port} is used by another program)`);
  expect((await opened.drover('status')).stdout).toContain(daemon.url);
});

test('a restart under load loses nothing for a reader that reconnects with its last id', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  await opened.drover('up', '--port', '0');
  const before = await registration(opened);
  const token = (await readFile(join(opened.droverHome, 'token'), 'utf8')).trim();
  const reader = faithful(before.url, token);
  await reader.joined;

  const lanes = [1, 2, 3, 4].map(async lane => {
    for (let n = 0; n < 50; n++)
      await fire({ session_id: sessionId(lane), hook_event_name: 'PostToolUse', n: lane * 100 + n });
  });
  await reader.has(60);
  const restart = await opened.drover('restart');
  const after = await registration(opened);
  expect([restart.code, restart.stderr]).toEqual([0, '']);
  expect(restart.stdout).toContain(`pid ${before.pid}): ${after.url} (pid ${after.pid})`);
  expect(after.url).toBe(before.url);
  expect(after.pid).not.toBe(before.pid);
  await Promise.all(lanes);
  await reader.has(200);
  const status = JSON.parse((await opened.drover('status', '--json')).stdout) as { events: { last: number } };
  await reader.reaches(status.events.last);
  const numbers = reader.hooks().map(({ data }) => (JSON.parse(data) as { n: number }).n);
  for (const lane of [1, 2, 3, 4])
    expect(numbers.filter(n => Math.floor(n / 100) === lane)).toEqual(
      Array.from({ length: 50 }, (_, n) => lane * 100 + n),
    );
  expect(reader.visits()).toBe(2);
});

test('a hanging request blocks neither restart nor down', async () => {
  const opened = await world({ version });
  await opened.drover('up', '--port', '0');
  const token = (await readFile(join(opened.droverHome, 'token'), 'utf8')).trim();
  for (const verb of ['restart', 'down', 'up']) {
    const { url } = await registration(opened).catch(() => ({ url: '' }));
    if (url) await half(url, token);
    expect(await opened.drover(verb)).toMatchObject({ code: 0, stderr: '' });
  }
  expect((await opened.drover('status')).code).toBe(0);
});

/** A POST in progress, whose second half never arrives. */
async function half(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-length': 100, expect: '100-continue' };
  const post = request(`${url}/event`, { method: 'POST', agent: false, headers });
  onTestFinished(() => void post.destroy());
  post.on('error', () => {}).flushHeaders();
  await once(post, 'continue');
  post.write('{');
}

/** A reader that reconnects with the last id it saw, as an EventSource does. */
function faithful(url: string, token: string) {
  let kept: Frame[] = [];
  let visits = 0;
  let open: (() => Frame[]) | undefined;
  let close = () => {};
  let over = false;
  const frames = () => [...kept, ...(open?.() ?? [])];
  const lastId = () => frames().findLast(({ id }) => id !== undefined)?.id;
  const hooks = () => frames().filter(({ event }) => event === 'hook');
  const reading = (async () => {
    while (!over) {
      const id = lastId();
      // Frames behind the last id come again: of several frames with one seq only the last carries it.
      kept = kept.slice(0, kept.findLastIndex(frame => frame.id === id) + 1);
      const stream = await subscribe(url, token, id === undefined ? {} : { lastEventId: id }).catch(
        () => null,
      );
      if (!stream) {
        await new Promise(done => setTimeout(done, 20));
        continue;
      }
      visits++;
      open = () => stream.frames;
      close = stream.close;
      await stream.ended;
      kept = frames();
      open = undefined;
    }
  })();
  onTestFinished(async () => {
    over = true;
    close();
    await reading;
  });
  const waitFor = (what: () => string, isSo: () => boolean) => until(20_000, what, () => isSo() || undefined);
  return {
    hooks,
    visits: () => visits,
    joined: waitFor(
      () => 'the reader has no snapshot',
      () => frames().length > 0,
    ),
    has: (count: number) =>
      waitFor(
        () => `only ${hooks().length} of ${count} hooks came`,
        () => hooks().length >= count,
      ),
    reaches: (seq: number) =>
      waitFor(
        () => `the last id is ${lastId()}, not ${seq}`,
        () => lastId() === String(seq),
      ),
  };
}
