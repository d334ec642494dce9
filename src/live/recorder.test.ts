import { expect, test, vi } from 'vitest';
import { DroverError } from '../contract/error.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { Recorder } from './recorder.ts';
import { waitFor } from '../testing/wait-for.ts';

const name = (n: number) => `E${n}`;

test('events wait for a store that fails, in order and each once, and what comes later waits behind them', async () => {
  const { loop, store, events } = await openPipeline();
  const write = store.write.bind(store);
  store.write = () => {
    throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
  };
  const first = hookDraft(name(1));
  for (const draft of [first, first, hookDraft(name(2))]) loop.record([draft]);
  await vi.waitFor(() => expect(loop.counts.failed).toBeGreaterThan(3), 5_000);
  loop.record([hookDraft(name(3))]);
  expect(loop.pending).toBe(3);
  store.write = write;
  await vi.waitFor(() => expect(loop.pending).toBe(0), 3_000);
  expect(events().map(event => event.name)).toEqual([name(1), name(2), name(3)]);
});

test('one event that can never be stored does not hold up the others', async () => {
  const errors: string[] = [];
  const taken: string[] = [];
  let locked = true;
  const recorder = new Recorder(
    deliveries => {
      if (locked) return Promise.reject(new DroverError('store_failed'));
      if (deliveries.some(({ draft }) => draft.name === 'bad'))
        return Promise.reject(new DroverError('bad_event'));
      taken.push(...deliveries.map(({ draft }) => draft.name));
      return Promise.resolve();
    },
    message => errors.push(message),
  );
  recorder.record(['a', 'bad', 'b'].map(one => hookDraft(one)));
  await waitFor(() => expect(recorder.pending).toBe(3));
  locked = false;
  await vi.waitFor(() => expect(recorder.pending).toBe(0), 3_000);
  recorder.record(['c', 'bad', 'd'].map(one => hookDraft(one)));
  await waitFor(() => expect(taken).toEqual(['a', 'b', 'c', 'd']));
  expect(errors).toEqual(Array.from({ length: 2 }, () => 'Dropped an event that cannot be stored'));
});
