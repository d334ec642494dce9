/** Death: told within a look, after what hooks had to say, and whether it was in order. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { processName } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { Sweep } from './sweep.ts';

const setUp = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  mkdirSync(join(dir, 'sessions'));
  // Its own name would make it a wrapper, whose death says nothing.
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
  const heard: (() => void)[] = [];
  const sweep = new Sweep(
    () => live,
    () => [dir],
    async () => {
      for (const hear of heard) hear();
    },
    taken => drafts.push(...taken),
    { now: Date.now },
  );
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  const payloads = () => drafts.map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as unknown);
  return { dir, session, live, drafts, heard, sweep, kill, payloads };
};

test('a process that lives says nothing', async () => {
  const { sweep, drafts } = await setUp();
  await sweep.look();
  await sweep.look();
  expect(drafts).toEqual([]);
});

test.each([true, false])('a dead one, its file left behind: %s', async stale => {
  const { dir, session, sweep, kill, payloads, drafts } = await setUp();
  if (stale) writeFileSync(join(dir, 'sessions', `${session.pid}.json`), '{}');
  await sweep.look();
  await kill();
  await sweep.look();
  expect(drafts[0]).toMatchObject({ source: 'sweep', name: 'ProcessGone', sessionId: 'a' });
  expect(payloads()).toEqual([{ session_id: 'a', pid: session.pid, left: !stale }]);
});

test('what a hook has told meanwhile goes before', async () => {
  const { live, heard, sweep, kill, drafts } = await setUp();
  await sweep.look();
  await kill();
  heard.push(() => live.pop());
  await sweep.look();
  expect(drafts).toEqual([]);
});

test('a pid that is another’s by now', async () => {
  const { session, sweep, drafts } = await setUp();
  session.touched = Date.now() - 60_000;
  await sweep.look();
  expect(drafts).toMatchObject([{ name: 'ProcessGone' }]);
});

test('between two looks the death of a process is seen by its pid alone', async () => {
  const { sweep, kill, drafts } = await setUp();
  await sweep.look();
  sweep.tick();
  expect(drafts).toEqual([]);
  await kill();
  sweep.tick();
  await vi.waitFor(() => expect(drafts).toMatchObject([{ name: 'ProcessGone' }]));
});

test('a wrapper that is gone does not make every tick a look', async () => {
  const { live, heard, sweep } = await setUp();
  const wrapper = spawn('sleep', ['60']);
  await once(wrapper, 'spawn');
  live.splice(0, 1, { id: 'w', pid: wrapper.pid, touched: Date.now() } as Folded);
  await sweep.look();
  wrapper.kill('SIGKILL');
  await once(wrapper, 'exit');
  let looks = 0;
  heard.push(() => looks++);
  for (let n = 0; n < 5; n++) sweep.tick();
  expect(looks).toBe(0);
});

test('a dead process that nobody has reaped is dead', async () => {
  const { live, sweep, drafts } = await setUp();
  // The shell does not wait for its child until it is told to.
  const parent = spawn('sh', [
    '-c',
    `'${process.execPath}' -e 'setTimeout(() => {}, 60_000)' & echo $!; exec sleep 60`,
  ]);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  await vi.waitFor(() => expect(processName(pid)).toMatch(/node|MainThread/));
  live.splice(0, 1, { id: 'z', pid, touched: Date.now() } as Folded);
  await sweep.look();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => {
    sweep.tick();
    expect(drafts).toMatchObject([{ name: 'ProcessGone', sessionId: 'z' }]);
  });
});
