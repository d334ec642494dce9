import { expect, test } from 'vitest';
import type { Context } from '../contract/event.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';

const opened = async () => {
  const pipeline = await openPipeline();
  const { loop, events } = pipeline;
  const fire = (context: Context, at = 1_000, prompt = 'same') =>
    loop.append([{ draft: hookDraft('PermissionRequest', { prompt }, context, at) }]);
  return { ...pipeline, fire, count: () => events().length };
};

test('copies of different registrations are one firing, each paired once', async () => {
  const { fire, count, loop } = await opened();
  await fire({ delivery: 's1' });
  await fire({ delivery: 'p1', via: 'plugin' });
  expect(count()).toBe(1);
  // A second firing with equal bytes, its copies in the other order.
  await fire({ delivery: 'p2', via: 'plugin' });
  await fire({ delivery: 's2' });
  expect(count()).toBe(2);
  // The hooks of one registration wait, each for its own event.
  const [first, second] = [loop.eventOf('s1'), loop.eventOf('s2')];
  expect([first, second]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(first).not.toBe(second);
  expect([loop.eventOf('p1'), loop.eventOf('p2')]).toEqual([undefined, undefined]);
});

test('equal deliveries of one registration are as many firings', async () => {
  const { fire, count, loop } = await opened();
  for (const delivery of ['a', 'b', 'c']) await fire({ delivery, via: 'plugin' });
  expect(count()).toBe(3);
  expect(new Set(['a', 'b', 'c'].map(delivery => loop.eventOf(delivery))).size).toBe(3);
});

test('copies far apart in time are two firings, and other bytes are never a copy', async () => {
  const { fire, count } = await opened();
  await fire({}, 1_000);
  await fire({ via: 'plugin' }, 60_000);
  await fire({ via: 'plugin' }, 1_000, 'other');
  expect(count()).toBe(3);
});

test('a transaction that failed leaves no pair behind', async () => {
  const { fire, count, loop, store } = await opened();
  await fire({ delivery: 's1' });
  const write = store.write.bind(store);
  store.write = action =>
    write(() => {
      action();
      throw new Error('the disk is full');
    });
  await expect(fire({ delivery: 'p1', via: 'plugin' })).rejects.toThrow('disk');
  store.write = write;
  await fire({ delivery: 'p1', via: 'plugin' });
  expect(count()).toBe(1);
  await fire({ delivery: 'p2', via: 'plugin' });
  expect([count(), loop.eventOf('p2')]).toEqual([2, undefined]);
});

test('long after the last equal firing, the registration that delivers first has the hook that waits', async () => {
  const { fire, count, loop } = await opened();
  await fire({ delivery: 's1' }, 1_000);
  await fire({ delivery: 'p2', via: 'plugin' }, 60_000);
  await fire({ delivery: 's2' }, 60_000);
  expect([count(), loop.eventOf('s2')]).toEqual([2, undefined]);
  expect(loop.eventOf('p2')).toBeGreaterThan(loop.eventOf('s1') ?? 0);
});

test('ten thousand equal deliveries are paired, each with one copy', async () => {
  const { loop, count } = await opened();
  const drafts = Array.from({ length: 10_000 }, (_, n) => ({
    draft: hookDraft('Notification', {}, { via: n % 2 ? 'plugin' : 'home' }, 1_000 + n),
  }));
  await loop.append(drafts);
  expect(count()).toBe(5_000);
});
