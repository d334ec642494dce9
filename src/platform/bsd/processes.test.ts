/** The code for macOS with the real ps of this machine, and with rows that a test gives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../limits.ts';
import { linuxProcesses } from '../linux/processes.ts';
import { ProcessTable } from './process-table.ts';
import { bsdProcesses } from './processes.ts';

const sleeper = async (): Promise<{ pid: number; kill: () => Promise<unknown> }> => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const kill = () => (child.kill('SIGKILL'), once(child, 'exit'));
  return { pid: child.pid ?? 0, kill };
};

test.runIf(process.platform === 'linux')('ps reports what /proc reports', async () => {
  const { pid } = await sleeper();
  const bsd = bsdProcesses();
  expect(bsd.lineage(pid)).toEqual(linuxProcesses.lineage(pid));
  expect(bsd.descendants(process.pid)).toContain(pid);
  expect(bsd.processName(pid)).toBe('sleep');
  expect(bsd.processArgs(pid)).toEqual(['sleep', '60']);
  const [seen, real] = [bsd.terminalOf(pid), linuxProcesses.terminalOf(pid)];
  expect([seen?.group, seen?.tty === '']).toEqual([real?.group, real?.tty === '']);
  expect(Math.abs((bsd.startedAt(pid) ?? 0) - (linuxProcesses.startedAt(pid) ?? 0))).toBeLessThan(2_500);
  const memory = (await bsd.processMemory()).find(one => one.pid === process.pid);
  expect(memory?.parent).toBe(process.ppid);
  expect(memory?.bytes).toBeGreaterThan(10_000_000);
  expect(bsd.processEnv(pid, ['HOME'])).toBe(null);
});

test('a process that ends is known at once, and its pid has no start any more', async () => {
  const { pid, kill } = await sleeper();
  const bsd = bsdProcesses();
  const [liveness, start] = [bsd.openLiveness(pid), bsd.processStart(pid)];
  expect(liveness?.isRunning()).toBe(true);
  expect(start).toMatch(/^\d{10}$/);
  await kill();
  expect(liveness?.isRunning()).toBe(false);
  expect(bsd.processStart(pid)).toBe(null);
  expect(bsd.lineage(pid)).toEqual([]);
});

/** Processes of which ps prints these rows; every pid exists. */
const given = (rows: string) => {
  const made = { rows, at: 0 };
  const ps = { now: () => made.rows, later: () => Promise.resolve(made.rows) };
  const table = new ProcessTable(ps, () => made.at);
  return Object.assign(made, { bsd: bsdProcesses(ps, table, () => true) });
};

const row = (pid: number, time: string, state = 'S') =>
  `${pid} 1 ${pid} 0 ${state} 100 ?? Mon Nov 16 ${time} 2026 claude\n`;

test.each([
  ['a zombie', row(10, '10:00:00', 'Z')],
  ['another process with its pid', row(10, '10:00:05')],
])('%s counts as gone after the next background reading', async (_, later) => {
  const made = given(row(10, '10:00:00'));
  const liveness = made.bsd.openLiveness(10);
  expect(liveness?.isRunning()).toBe(true);
  made.rows = later;
  await expect
    .poll(() => {
      made.at += limits.platform.background + 1;
      return liveness?.isRunning();
    })
    .toBe(false);
});

test('a terminal is known by its path', () => {
  const { bsd } = given(row(10, '10:00:00').replace('??', 'ttys003') + row(11, '10:00:00'));
  expect([10, 11].map(pid => bsd.terminalOf(pid)?.path)).toEqual(['/dev/ttys003', null]);
});

test('a process that is exiting has no start', () => {
  for (const state of ['Z', 'SE']) expect(given(row(10, '10:00:00', state)).bsd.processStart(10)).toBe(null);
});

test('a session file belongs to a process that had started by then', () => {
  const { bsd } = given(row(10, '10:00:00'));
  const start = Date.UTC(2026, 10, 16, 10);
  expect(bsd.couldHaveWritten(10, { startedAt: start + 700, procStart: '4711' })).toBe(true);
  expect(bsd.couldHaveWritten(10, { startedAt: start - 60_000 })).toBe(false);
  expect(bsd.couldHaveWritten(10, {})).toBe(true);
  expect(bsd.couldHaveWritten(11, { startedAt: start })).toBe(false);
});
