import { expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { NoAnswer, NoReceiver } from './bus.ts';
import { requestWithRetry } from './request-with-retry.ts';

const asking = (...failures: (Error | null)[]) => {
  const request = vi.fn(() => {
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  });
  const state = { connection: 'connected' as const, since: 0, server: null, version: null, problem: null };
  const ask = (isExpected = true) =>
    requestWithRetry(
      { request, state },
      'a',
      Buffer.of(),
      () => 'done',
      1_000,
      () => isExpected,
    );
  return { request, ask };
};

test('a receiver that the broker does not know for a moment is asked again', async () => {
  const { request, ask } = asking(new NoReceiver(), null);
  await ask();
  expect(request).toHaveBeenCalledTimes(2);
});

test('a missing receiver is reported at once, and a request that was received is not sent again', async () => {
  const unknown = asking(new NoReceiver());
  await expect(unknown.ask(false)).rejects.toThrow(NoReceiver);
  expect(unknown.request).toHaveBeenCalledTimes(1);
  const silent = asking(new NoAnswer());
  await expect(silent.ask()).rejects.toThrow(NoAnswer);
  expect(silent.request).toHaveBeenCalledTimes(1);
  const gone = asking(...Array.from({ length: limits.fleet.askTries }, () => new NoReceiver()));
  await expect(gone.ask()).rejects.toThrow(NoReceiver);
  expect(gone.request).toHaveBeenCalledTimes(limits.fleet.askTries);
});
