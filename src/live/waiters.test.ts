import { expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';

/** A clock whose timers the test fires. */
const manualClock = () => {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 1_000,
    schedule: (_, fire) => {
      timers.add(fire);
      return () => timers.delete(fire);
    },
  };
  const fire = () => {
    for (const timer of timers) timer();
  };
  return { clock, timers, fire };
};

const opened = async () => {
  const { clock, timers, fire } = manualClock();
  const { loop } = await openPipeline(undefined, clock);
  return { loop, timers, fire, take: (name: string) => loop.append([{ draft: hookDraft(name) }]) };
};

test('a condition that is already true needs no commit and no timer', async () => {
  const { loop, timers } = await opened();
  expect(await loop.until(() => 'now', { timeout: 10 })).toBe('now');
  expect(timers.size).toBe(0);
});

test('resolves with the first value after a commit, also null, and then stops reading', async () => {
  const { loop, timers, take } = await opened();
  let reads = 0;
  const found = loop.until(
    commit => {
      reads++;
      return commit?.event.name === 'Stop' ? null : undefined;
    },
    { timeout: 10 },
  );
  await take('SessionStart');
  await take('Stop');
  await take('Stop');
  expect(await found).toBe(null);
  expect(reads).toBe(3);
  expect(timers.size).toBe(0);
});

test('resolves with undefined when the time is over', async () => {
  const { loop, fire } = await opened();
  const found = loop.until(() => undefined, { timeout: 10 });
  fire();
  expect(await found).toBe(undefined);
});

test('resolves with undefined when the signal aborts, before or while it waits', async () => {
  const { loop, timers } = await opened();
  const controller = new AbortController();
  const { signal } = controller;
  const found = loop.until(() => undefined, { timeout: 10, signal });
  controller.abort();
  expect(await found).toBe(undefined);
  expect(await loop.until(() => undefined, { timeout: 10, signal })).toBe(undefined);
  expect(timers.size).toBe(0);
});

test('rejects with what the condition throws, at the start or after a commit', async () => {
  const { loop, timers, take } = await opened();
  const fail = () => {
    throw new Error('gone');
  };
  await expect(loop.until(fail, { timeout: 10 })).rejects.toThrow('gone');
  const found = loop.until(commit => commit && fail(), { timeout: 10 });
  await Promise.all([expect(found).rejects.toThrow('gone'), take('Stop')]);
  expect(timers.size).toBe(0);
});
