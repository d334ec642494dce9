import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isReusedPid, startedAt } from './processes.ts';
import { platformName } from './system.ts';

// On macOS it is the time that the clock showed then.
test.runIf(platformName === 'linux')('the start of a process follows the clock when it is set', async () => {
  const before = Date.now();
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  expect(Math.abs((startedAt(pid) ?? 0) - before)).toBeLessThan(1_000);
  expect(Math.abs((startedAt(process.pid) ?? 0) - (before - process.uptime() * 1_000))).toBeLessThan(1_500);
  expect(isReusedPid(pid, before)).toBe(false);
  expect(isReusedPid(pid, before - 60_000)).toBe(true);
  onTestFinished(() => void vi.useRealTimers());
  for (const by of [-3_600_000, 3_600_000]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    expect(Math.abs((startedAt(pid) ?? 0) - (before + by))).toBeLessThan(1_000);
    expect(isReusedPid(pid, before + by)).toBe(false);
    vi.useRealTimers();
  }
});
