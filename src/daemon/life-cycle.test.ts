import { expect, test, vi } from 'vitest';
import { LifeCycle } from './life-cycle.ts';
import type { Part } from './part.ts';
import { waitFor } from '../testing/wait-for.ts';

/** A part that records its calls, with optional overrides. */
const recorded = (calls: string[], name: string, fields: Partial<Part> = {}): Part => ({
  name,
  prepare: () => void calls.push(`prepare ${name}`),
  start: () => void calls.push(`start ${name}`),
  close: () => void calls.push(`close ${name}`),
  ...fields,
});

test('parts are prepared and started in order, and closed in reverse', async () => {
  const calls: string[] = [];
  const lifeCycle = new LifeCycle([recorded(calls, 'a'), recorded(calls, 'b')], () => {});
  await lifeCycle.prepare();
  lifeCycle.start();
  await waitFor(() => expect(calls).toContain('start b'));
  await lifeCycle.close();
  expect(calls).toEqual(['prepare a', 'prepare b', 'start a', 'start b', 'close b', 'close a']);
});

test('a part that cannot start or close is reported, and the others still do', async () => {
  const calls: string[] = [];
  const errors: string[] = [];
  const fail = () => {
    throw new Error('no');
  };
  const parts = [recorded(calls, 'a', { start: fail, close: fail }), recorded(calls, 'b')];
  const lifeCycle = new LifeCycle(parts, message => void errors.push(message));
  lifeCycle.start();
  await waitFor(() => expect(calls).toContain('start b'));
  await lifeCycle.close();
  expect(calls).toEqual(['start b', 'close b']);
  expect(errors).toEqual(['a could not be started', 'a could not be closed']);
});

test('a part that waits for the store is started again', async () => {
  const calls: string[] = [];
  const start = vi
    .fn<() => void>()
    .mockImplementationOnce(() => {
      throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
    })
    .mockImplementation(() => void calls.push('start a'));
  const lifeCycle = new LifeCycle([recorded(calls, 'a', { start }), recorded(calls, 'b')], () => {});
  lifeCycle.start();
  await vi.waitFor(() => expect(calls).toEqual(['start a', 'start b']), 5_000);
  await lifeCycle.close();
});

test('a part whose turn has not come when the daemon closes never starts', async () => {
  const calls: string[] = [];
  let finish = () => {};
  const slow = () =>
    new Promise<void>(resolve => {
      finish = resolve;
    });
  const lifeCycle = new LifeCycle([recorded(calls, 'a', { start: slow }), recorded(calls, 'b')], () => {});
  lifeCycle.start();
  const closed = lifeCycle.close();
  finish();
  await closed;
  expect(calls).toEqual(['close b', 'close a']);
});
