import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { Retries } from './retries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store that fails until `works` is set. */
const opened = () => {
  const store = { works: false, rows: [] as string[] };
  const retries = new Retries(() => {});
  const write = (name: string, text: string) =>
    retries.write(name, () => {
      if (!store.works) throw new Error('full');
      store.rows.push(text);
    });
  return { store, retries, write };
};

test('a write that failed is tried again, the newest of its name', () => {
  const { store, write } = opened();
  write('a', 'old');
  write('a', 'new');
  write('b', 'other');
  vi.advanceTimersByTime(limits.store.retry);
  expect(store.rows).toEqual([]);
  store.works = true;
  vi.advanceTimersByTime(limits.store.retry);
  expect(store.rows).toEqual(['new', 'other']);
});

test('a write that was cancelled is not tried again', () => {
  const { store, retries, write } = opened();
  write('a', 'old');
  store.works = true;
  retries.cancel('a');
  vi.advanceTimersByTime(limits.store.retry);
  expect(store.rows).toEqual([]);
});
