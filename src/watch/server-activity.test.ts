import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { activityOf } from '../platform/processes.ts';
import { tmux } from '../tmux/server/run.ts';
import { ServerActivity } from './server-activity.ts';

const server = async () => {
  const root = mkdtempSync(join(tmpdir(), 'du-'));
  const socket = join(root, 's');
  const { stdout } = await tmux(socket, [
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pid}',
    'sleep 60',
  ]);
  onTestFinished(async () => {
    await tmux(socket, ['kill-server']);
    rmSync(root, { recursive: true, force: true });
  });
  return { socket, pid: Number(stdout) };
};

// Elsewhere it is not known, and the panes are listed every time.
test.runIf(activityOf(process.pid) !== null)(
  'a server that nobody talks to has done nothing; a renamed window is seen',
  async () => {
    const { socket, pid } = await server();
    const activity = new ServerActivity();
    await vi.waitFor(
      async () => {
        activity.note([pid]);
        await vi.waitFor(() => expect(activity.hasChanged()).toBe(false), { timeout: 500 });
      },
      { timeout: 5_000 },
    );
    await tmux(socket, ['rename-window', 'other']);
    expect(activity.hasChanged()).toBe(true);
  },
);

test('it is not known before anything was noted, and when a server is gone', () => {
  stopClock();
  const activity = new ServerActivity();
  expect(activity.hasChanged()).toBeNull();
  activity.note([2 ** 30]);
  vi.advanceTimersByTime(limits.panes.ownActivity);
  expect(activity.hasChanged()).toBeNull();
});

const stopClock = (): void => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
};
