/** One delivery at a time for each key, in order. */
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { DeliveryQueue, type DeliveryRules } from './delivery-queue.ts';
import { waitFor } from '../testing/wait-for.ts';

/** A queue whose deliveries the test ends. */
const opened = (rules: Partial<DeliveryRules<string>> = {}) => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue: DeliveryQueue<string> = new DeliveryQueue(
    {
      delay: () => 0,
      deliver: async (key, [item = '']) => {
        begun.push(item);
        await new Promise<void>(done => ends.set(item, done));
        queue.remove(key, [item]);
      },
      failed: () => {},
      ...rules,
    },
    systemClock,
  );
  const end = async (item: string) => {
    ends.get(item)?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, end };
};

test('items of one key are delivered in order, one at a time, and keys do not wait for each other', async () => {
  const { queue, begun, end } = opened();
  queue.add('a', 'a1', 'a2');
  queue.add('b', 'b1');
  queue.wake('a');
  queue.wake('b');
  queue.wake('a');
  expect(begun).toEqual(['a1', 'b1']);
  expect([queue.isNext('a', 'a1'), queue.isNext('a', 'a2')]).toEqual([true, false]);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  await end('a2');
  await end('b1');
  expect(queue.keys()).toEqual([]);
});

test('a key that must not deliver yet waits for a wake, or for its time', async () => {
  let delay: number | null = null;
  const { queue, begun } = opened({ delay: () => delay });
  queue.add('a', 'a1');
  queue.wake('a');
  expect(begun).toEqual([]);
  delay = 10;
  queue.wake('a');
  delay = 0;
  await waitFor(() => expect(begun).toEqual(['a1']));
});

test('a reservation comes before what waits and after what is in progress', async () => {
  const { queue, begun, end } = opened();
  queue.add('a', 'a1', 'a2');
  queue.wake('a');
  const reserved = queue.reserve('a', 5_000);
  await end('a1');
  expect(begun).toEqual(['a1']);
  const release = await reserved;
  expect(queue.isNext('a', 'a2')).toBe(true);
  release?.();
  expect(begun).toEqual(['a1', 'a2']);
});

test('a reservation that comes too late is refused', async () => {
  const { queue, begun, end } = opened();
  queue.add('a', 'a1', 'a2');
  queue.wake('a');
  expect(await queue.reserve('a', 1)).toBeNull();
  await end('a1');
  expect(begun).toEqual(['a1', 'a2']);
});

test('a delivery that fails is reported, and the next one begins', async () => {
  const failed: unknown[] = [];
  const { queue, begun } = opened({
    deliver: async (_, [item]) => {
      if (item === 'a1') throw new Error('no');
      begun.push(item ?? '');
    },
    failed: (key, items, error) => {
      failed.push([key, (error as Error).message]);
      queue.remove(key, items.slice(0, 1));
    },
    delay: (_, [item]) => (begun.includes(item ?? '') ? null : 0),
  });
  queue.add('a', 'a1', 'a2');
  queue.wake('a');
  await waitFor(() => expect(begun).toEqual(['a2']));
  expect(failed).toEqual([['a', 'no']]);
});

test('a closed queue begins nothing and refuses reservations', async () => {
  const { queue, begun, end } = opened();
  queue.add('a', 'a1', 'a2');
  queue.wake('a');
  const reserved = queue.reserve('a', 600_000);
  queue.close();
  expect(await reserved).toBeNull();
  await end('a1');
  queue.wake('a');
  expect(begun).toEqual(['a1']);
});
