import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { processName } from '../platform/processes.ts';
import type { Folded } from '../session/memory.ts';
import { Sweep } from './sweep.ts';
import { waitFor } from '../testing/wait-for.ts';

const setUp = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  mkdirSync(join(dir, 'sessions'));
  // Its own name would make it a wrapper, whose exit means nothing.
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  await once(child, 'spawn');
  const session = { id: 'a', pid: child.pid, touched: Date.now() } as Folded;
  const live = [session];
  const drafts: Draft[] = [];
  const catchUps: (() => void)[] = [];
  const sweep = new Sweep(
    () => live,
    () => [dir],
    async () => {
      for (const onCatchUp of catchUps) onCatchUp();
    },
    taken => drafts.push(...taken),
    { now: Date.now },
  );
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  const payloads = () => drafts.map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as unknown);
  return { dir, session, live, drafts, catchUps, sweep, kill, payloads };
};

test('reports nothing for a running process', async () => {
  const { sweep, drafts } = await setUp();
  await sweep.poll();
  await sweep.poll();
  expect(drafts).toEqual([]);
});

test.each([true, false])('reports an exited process; session file left behind: %s', async stale => {
  const { dir, session, sweep, kill, payloads, drafts } = await setUp();
  if (stale) writeFileSync(join(dir, 'sessions', `${session.pid}.json`), '{}');
  await sweep.poll();
  await kill();
  await sweep.poll();
  expect(drafts[0]).toMatchObject({ source: 'sweep', name: 'ProcessGone', sessionId: 'a' });
  expect(payloads()).toEqual([{ session_id: 'a', pid: session.pid, left: !stale }]);
});

test('a hook that arrived meanwhile comes first', async () => {
  const { live, catchUps, sweep, kill, drafts } = await setUp();
  await sweep.poll();
  await kill();
  catchUps.push(() => live.pop());
  await sweep.poll();
  expect(drafts).toEqual([]);
});

test('reports a process whose pid was reused', async () => {
  const { session, sweep, drafts } = await setUp();
  session.touched = Date.now() - 60_000;
  await sweep.poll();
  expect(drafts).toMatchObject([{ name: 'ProcessGone' }]);
});

test('notices an exit between two polls by the pid alone', async () => {
  const { sweep, kill, drafts } = await setUp();
  await sweep.poll();
  sweep.tick();
  expect(drafts).toEqual([]);
  await kill();
  sweep.tick();
  await waitFor(() => expect(drafts).toMatchObject([{ name: 'ProcessGone' }]));
});

test('an exited wrapper does not turn every tick into a poll', async () => {
  const { live, catchUps, sweep } = await setUp();
  const wrapper = spawn('sleep', ['60']);
  await once(wrapper, 'spawn');
  live.splice(0, 1, { id: 'w', pid: wrapper.pid, touched: Date.now() } as Folded);
  await sweep.poll();
  wrapper.kill('SIGKILL');
  await once(wrapper, 'exit');
  let polls = 0;
  catchUps.push(() => polls++);
  for (let n = 0; n < 5; n++) sweep.tick();
  expect(polls).toBe(0);
});

test('a zombie counts as exited', async () => {
  const { live, sweep, drafts } = await setUp();
  // The parent never waits for its child.
  const parent = spawn('sh', [
    '-c',
    `'${process.execPath}' -e 'setTimeout(() => {}, 60_000)' & echo $!; exec sleep 60`,
  ]);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  await waitFor(() => expect(processName(pid)).toMatch(/node|MainThread/));
  live.splice(0, 1, { id: 'z', pid, touched: Date.now() } as Folded);
  await sweep.poll();
  process.kill(pid, 'SIGKILL');
  await waitFor(() => {
    sweep.tick();
    expect(drafts).toMatchObject([{ name: 'ProcessGone', sessionId: 'z' }]);
  });
});

test('a session that was silent while the machine slept is not lost when it wakes', async () => {
  const { live } = await setUp();
  const clock = { at: Date.now(), now: () => clock.at };
  const drafts: Draft[] = [];
  const take = (taken: Draft[]) => drafts.push(...taken);
  live.splice(0, 1, { id: 'far', pid: null, touched: clock.at } as Folded);
  const sweep = new Sweep(
    () => live,
    () => [],
    async () => {},
    take,
    clock,
  );
  clock.at += limits.watch.lostAfter + 1;
  sweep.tick();
  await sweep.poll();
  expect(drafts).toEqual([]);
  // Awake, and still silent for as long.
  for (let slept = 0; slept <= limits.watch.lostAfter; slept += limits.watch.asleep / 2) {
    clock.at += limits.watch.asleep / 2;
    sweep.tick();
  }
  await sweep.poll();
  expect(drafts).toMatchObject([{ name: 'Lost', sessionId: 'far' }]);
});
