import { expect, test, vi } from 'vitest';
import type { Stored } from './bus.ts';
import { StreamFollower, type Reader } from './stream-follower.ts';

/** A stream whose messages arrive when the test says so. */
const reading = (onMessage = vi.fn()) => {
  let deliver: (left: number) => void = () => {};
  const open = (): Promise<Reader> => {
    const queue: number[] = [];
    let wake = () => {};
    deliver = left => {
      queue.push(left);
      wake();
    };
    const messages = async function* () {
      for (;;) {
        while (queue.length === 0) await new Promise<void>(resolve => (wake = resolve));
        yield {
          message: { subject: 's', bytes: Buffer.alloc(0), seq: 1, at: 0 } as Stored,
          left: queue.shift() ?? 0,
        };
      }
    };
    return Promise.resolve({ waiting: 1, messages: messages(), stop: () => {} });
  };
  const follow = new StreamFollower('S', open, onMessage, () => {});
  const isSettled = () => Promise.race([follow.settled().then(() => true), pause().then(() => false)]);
  return { follow, onMessage, isSettled, deliver: (left: number) => deliver(left) };
};

const pause = () => new Promise(resolve => setTimeout(resolve, 20));

test('it has settled once it has read what was stored, each time that it starts over', async () => {
  const { follow, isSettled, deliver } = reading();
  const before = follow.settled();
  expect(await isSettled()).toBe(false);
  follow.start();
  await pause();
  deliver(0);
  await before;
  await follow.caughtUp;
  follow.start();
  expect(await isSettled()).toBe(false);
  deliver(1);
  expect(await isSettled()).toBe(false);
  deliver(0);
  expect(await isSettled()).toBe(true);
  follow.start();
  const waiting = follow.settled();
  follow.stop();
  await waiting;
});

test('waiting for a stream that cannot be read costs no more with each attempt', async () => {
  const { follow } = reading();
  const waiting = follow.settled();
  for (let n = 0; n < 3; n++) {
    follow.start();
    expect(follow.settled()).toBe(waiting);
  }
  follow.stop();
  await waiting;
});

test('a run that was still busy with its last message when another began does not settle that one', async () => {
  let finish = () => {};
  const onMessage = vi.fn(() => new Promise<void>(resolve => (finish = resolve)));
  const { follow, isSettled, deliver } = reading(onMessage);
  follow.start();
  await pause();
  deliver(0);
  await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(1));
  follow.start();
  finish();
  expect(await isSettled()).toBe(false);
  deliver(0);
  await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(2));
  finish();
  expect(await isSettled()).toBe(true);
  follow.stop();
});
