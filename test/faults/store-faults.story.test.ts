/** Faults from outside: a full disk, a wrong session file, a damaged database, unhandled errors. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Status } from '../../src/contract/api.ts';
import { openDatabase } from '../../src/store/sqlite.ts';
import { newest } from '../rig/cli.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { hubOf } from '../rig/hub.ts';
import { awaitEvents, readHookEvents } from '../rig/log.ts';
import { smallDisk } from '../rig/small-disk.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

const statusOf = async ({ drover }: World) => JSON.parse((await drover('status', '--json')).stdout) as Status;

const hook = (n: number) => ({ session_id: sessionId(1), hook_event_name: 'PostToolUse', n });

test('a full disk: every lost event is counted and reported, and the daemon continues when there is space', async context => {
  const opened = await world({ version });
  const disk = await smallDisk(opened.droverHome, 8, context);
  const { fire } = await hooksOf(opened);
  const daemon = await opened.daemon();
  await fire(hook(0));
  await awaitEvents(opened, 1);
  disk.fill();
  for (let n = 1; n <= 60; n++) {
    await fire(hook(n));
    // The reserve that the first loss released is used up too.
    disk.fill();
  }
  const { faults } = await statusOf(opened);
  const waiting = readdirSync(join(opened.droverHome, 'spool')).length;
  expect(faults.disk.lost).toBeGreaterThan(50);
  expect(faults.disk.lost + waiting + (await readHookEvents(opened)).length).toBe(61);
  expect(faults.disk.fullAt).toBeGreaterThan(Date.now() - 60_000);
  const told = (lost: number) =>
    new RegExp(`fault +the disk was full, last at .*; ${lost} events could not be written and are lost`);
  expect((await opened.drover('status')).stdout).toMatch(told(faults.disk.lost));
  // Its own probe is lost too.
  expect((await opened.drover('doctor')).stdout).toContain('events could not be written and are lost');
  disk.free();
  await fire(hook(100));
  const lines = await awaitEvents(opened, 62 - faults.disk.lost);
  expect(lines.at(-1)?.payload.n).toBe(100);
  expect((await statusOf(opened)).pid).toBe(daemon.pid);
  await until(
    15_000,
    () => 'there is no reserve',
    () => existsSync(join(opened.droverHome, 'reserve')) || undefined,
  );
  await daemon.stop();
  expect((await opened.drover('status')).stdout).toMatch(told(faults.disk.lost + 1));
});

test('a database that is locked while a session sends a request: its state is right within 3 s after that', async () => {
  const opened = await world({ version });
  expect((await opened.drover('setup')).code).toBe(0);
  const hub = await hubOf(opened);
  const seat = await opened.claude();
  const { sessionId: id } = await seat.file(({ status }) => status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  const other = await openDatabase(join(opened.droverHome, 'drover.db'));
  // The daemon may be writing at this moment.
  other.exec('PRAGMA busy_timeout = 5000');
  other.exec('BEGIN IMMEDIATE');
  const locked = performance.now();
  await seat.type('RUN touch made');
  await seat.asks(/touch made[\s\S]*Do you want to proceed\?/);
  await pause(4_000 - (performance.now() - locked));
  expect((await hub.read(id)).state).toBe('ready');
  other.exec('ROLLBACK');
  other.close();
  await hub.is(
    id,
    ({ reason, detail }) => reason === 'permission' && detail?.line === 'Bash: touch made',
    3_000,
  );
});

test('an unhandled error is logged, and the daemon continues', async () => {
  const opened = await world({ version });
  const faulty = join(opened.root, 'faulty.mjs');
  await writeFile(
    faulty,
    `if (process.argv.includes('--foreground')) setTimeout(() => {
      void Promise.reject(new Error('a stray rejection'));
      throw new Error('a stray exception');
    }, 1_500).unref();`,
  );
  const { fire } = await hooksOf(opened);
  const { pid } = await opened.daemon({ env: { NODE_OPTIONS: `--import ${faulty}` } });
  const stray = async () => {
    const { errors } = await statusOf(opened);
    return (
      (errors.join().includes('a stray rejection') && errors.join().includes('a stray exception')) ||
      undefined
    );
  };
  await until(10_000, () => 'the daemon does not tell of it', stray);
  await fire(hook(1));
  expect((await awaitEvents(opened, 1)).length).toBe(1);
  expect((await statusOf(opened)).pid).toBe(pid);
});

test('a damaged database is replaced at start and reported, and no spooled event is lost', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const first = await opened.daemon();
  await fire(hook(1));
  await awaitEvents(opened, 1);
  await first.stop();
  for (const end of ['', '-wal', '-shm']) {
    const file = join(opened.droverHome, `drover.db${end}`);
    if (existsSync(file)) writeFileSync(file, 'not a database '.repeat(1_000));
  }
  await fire(hook(2));
  await opened.daemon();
  expect((await awaitEvents(opened, 1)).map(({ payload }) => payload.n)).toEqual([2]);
  expect((await opened.drover('status')).stdout).toMatch(
    /^fault +the database was damaged at .*, moved to .*damaged/m,
  );
  expect((await opened.drover('doctor')).stdout).toContain('the database was damaged');
});

test('a session file with an impossible time is accepted, and the daemon starts again', async () => {
  const opened = await world({ version });
  const first = await opened.daemon();
  const sessions = join(opened.home, '.claude', 'sessions');
  await mkdir(sessions, { recursive: true });
  const file = {
    pid: process.pid,
    sessionId: sessionId(3),
    status: 'busy',
    statusUpdatedAt: 1.8e18,
    startedAt: 1.8e18,
  };
  await writeFile(join(sessions, `${process.pid}.json`), JSON.stringify(file));
  const known = async () => (await opened.drover('ls', '--json')).stdout.includes(sessionId(3)) || undefined;
  await until(10_000, () => 'the session is not known', known);
  await first.stop();
  await opened.daemon();
  await until(10_000, () => 'the session is not known any more', known);
  expect((await opened.drover('status')).stdout).not.toMatch(/^error/m);
});
