/** The pool in real terminals, with a program that shows a prompt line instead of the CLI. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WarmRun, WarmLaunch } from '../../contract/warm.ts';
import { isRunning } from '../../driver/launch/private-cli.ts';
import { Pool } from './pool.ts';
import { runDirOf } from '../cli/run-dir.ts';
import { closeWorkspace, startCleanup } from '../cli/workspace.ts';

let folder: string;
let now: number;
let pool: Pool | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-'));
  for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name));
  now = 0;
  pool = null;
});

afterEach(async () => {
  await pool?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const program = (script: string): string => {
  const path = join(folder, 'claude');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
};

const prompt = `printf '❯ \\n──────\\n'; exec sleep 1000`;

const open = (size: number, claude: string) =>
  (pool = new Pool({
    size,
    age: 60_000,
    clock: { now: () => now },
    claude: () => claude,
    onError: () => {},
  }));

const launch = (cwd: string, claude: string): WarmLaunch => ({
  cwd: join(folder, cwd),
  claude,
  flags: [],
  settings: {},
  inherit_hooks: true,
  hold: false,
  env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder },
});

const folders = () => readdirSync(folder).filter(name => name.startsWith('claude-print-'));

const patient = { timeout: 15_000, interval: 20 };

test('an empty pool, and a CLI that the daemon would not start, give nothing', () => {
  const claude = program(prompt);
  expect(open(0, claude).reserve(launch('a', claude))).toMatchObject({
    run: null,
    why: expect.stringMatching(/no pool/),
  });
  expect(open(1, claude).reserve(launch('a', '/elsewhere/claude'))).toMatchObject({
    run: null,
    why: expect.stringMatching(/another claude/),
  });
  expect(folders()).toEqual([]);
});

test('the pool starts what was requested, hands out each CLI once, and ends the rest when it closes', async () => {
  const claude = program(prompt);
  const filled = open(2, claude);
  expect(filled.reserve(launch('a', claude))).toMatchObject({
    run: null,
    why: expect.stringMatching(/none is ready/),
  });
  await expect.poll(() => filled.ready, patient).toBe(2);
  expect(folders().length).toBe(2);
  const { run } = filled.reserve(launch('a', claude)) as { run: WarmRun };
  expect(filled.ready).toBe(1);
  // Another folder gets an equal share.
  expect(filled.reserve(launch('b', claude)).run).toBe(null);
  expect(filled.reserve({ ...launch('a', claude), flags: ['--model=x'] }).run).toBe(null);

  const dir = runDirOf(run.folders);
  const cleanup = startCleanup(dir, { PATH: process.env.PATH });
  expect(await filled.confirmTaken(run.name)).toBe(true);
  expect(await filled.confirmTaken(run.name)).toBe(false);
  await filled.close();
  expect(folders()).toEqual([run.name]);
  const cli = { ...run, socket: dir.socket };
  expect(isRunning(cli)).toBe(true);
  await closeWorkspace({ dir, cleanup, ready: Promise.resolve() }, cli);
  expect(folders()).toEqual([]);
  expect(isRunning(cli)).toBe(false);
});

test('a CLI that was not requested for a while is ended', async () => {
  const claude = program(prompt);
  const aging = open(2, claude);
  aging.reserve(launch('a', claude));
  await expect.poll(() => aging.ready, patient).toBe(2);
  const old = folders();
  now = 61_000;
  aging.reserve(launch('b', claude));
  await expect.poll(() => folders().filter(name => old.includes(name)), patient).toEqual([]);
  await expect.poll(() => aging.ready, patient).toBe(2);
});

test('a CLI that cannot be started is tried again only when it is requested, which returns the reason', async () => {
  const claude = program('echo started >>"$HOME/starts"; exit 1');
  const failing = open(1, claude);
  failing.reserve(launch('a', claude));
  await expect
    .poll(() => failing.reserve(launch('a', claude)).why, { ...patient, interval: 2_500 })
    .toMatch(/could not be started: claude exited/);
  await failing.close();
  expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('started\n');
  expect(folders()).toEqual([]);
});
