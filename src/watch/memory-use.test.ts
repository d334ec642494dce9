import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { type ProcessMemory, processMemory } from '../platform/processes.ts';
import { MemoryUse } from './memory-use.ts';

const table: ProcessMemory[] = [
  { pid: 10, parent: 1, bytes: 100 },
  { pid: 11, parent: 10, bytes: 20 },
  { pid: 12, parent: 11, bytes: 3 },
  { pid: 20, parent: 1, bytes: 500 },
];

const setUp = (given: { id: string; pid: number; isMeasured?: boolean }[]) => {
  const processes = given.map(one => ({ isMeasured: true, ...one }));
  const clock = { time: 1_000_000, now: () => clock.time };
  const published: Record<string, number>[] = [];
  const read = vi.fn(async () => table);
  const memory = new MemoryUse(
    {
      processes: () => processes,
      publish: bytes => published.push(Object.fromEntries(bytes)),
      onError: () => {},
      read,
    },
    clock,
  );
  return { clock, memory, published, read };
};

test('a session uses the memory of its process and all its descendants', async () => {
  const { memory, published } = setUp([
    { id: 'a', pid: 10 },
    { id: 'b', pid: 20 },
    { id: 'gone', pid: 99 },
  ]);
  await memory.refresh();
  expect(published).toEqual([{ a: 123, b: 500 }]);
});

test('readers within ten seconds share one measurement; without sessions nothing is measured', async () => {
  const { memory, read, clock } = setUp([{ id: 'a', pid: 10 }]);
  await Promise.all([memory.refresh(), memory.refresh()]);
  clock.time += limits.memory.maxAge - 1;
  await memory.refresh();
  expect(read).toHaveBeenCalledTimes(1);
  clock.time += 1;
  await memory.refresh();
  expect(read).toHaveBeenCalledTimes(2);
  const fresh = setUp([{ id: 'a', pid: 10, isMeasured: false }]);
  await fresh.memory.refresh();
  fresh.clock.time += limits.memory.firstMaxAge;
  await fresh.memory.refresh();
  expect(fresh.read).toHaveBeenCalledTimes(2);
  const none = setUp([]);
  await none.memory.refresh();
  expect(none.read).not.toHaveBeenCalled();
});

test('real processes are measured with their children', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & echo up; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(child.pid as number), 'SIGKILL'));
  await once(child.stdout, 'data');
  const all = await processMemory();
  const own = all.find(({ pid }) => pid === process.pid);
  // Both change while they are read.
  expect((own?.bytes ?? 0) / process.memoryUsage.rss()).toBeGreaterThan(0.7);
  expect((own?.bytes ?? 0) / process.memoryUsage.rss()).toBeLessThan(1.4);
  expect(all.some(({ parent }) => parent === child.pid)).toBe(true);
  const published: number[] = [];
  const memory = new MemoryUse(
    {
      processes: () => [{ id: 'a', pid: child.pid as number, isMeasured: false }],
      publish: bytes => published.push(bytes.get('a') ?? 0),
      onError: () => {},
    },
    systemClock,
  );
  await memory.refresh();
  expect(published[0]).toBeGreaterThan(100_000);
});
