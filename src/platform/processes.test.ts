import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isReusedPid, startedAt } from './processes.ts';
import { platformName } from './system.ts';

const tolerance = 500;

// On macOS it is the time that the clock showed then.
test.runIf(platformName === 'linux')('the start of a process follows the clock when it is set', async () => {
  const before = Date.now();
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  const after = Date.now();
  const pid = child.pid ?? 0;
  /** The kernel counts in ticks, and uptime is rounded too. */
  const isStart = (at: number | null, by = 0) =>
    at !== null && at > before + by - tolerance && at < after + by + tolerance;
  expect(isStart(startedAt(pid))).toBe(true);
  const own = Date.now() - process.uptime() * 1_000;
  expect(Math.abs((startedAt(process.pid) ?? 0) - own)).toBeLessThan(1_500);
  expect(isReusedPid(pid, before)).toBe(false);
  expect(isReusedPid(pid, before - 60_000)).toBe(true);
  onTestFinished(() => void vi.useRealTimers());
  for (const by of [-3_600_000, 3_600_000]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    expect(isStart(startedAt(pid), by)).toBe(true);
    expect(isReusedPid(pid, before + by)).toBe(false);
    vi.useRealTimers();
  }
});
