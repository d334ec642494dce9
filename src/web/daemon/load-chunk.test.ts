import { beforeEach, expect, test, vi } from 'vitest';
import { loadChunk, reloadNotice } from './load-chunk.ts';

const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const reload = vi.fn();

/** A browser tab whose daemon serves this script, or does not answer. */
const openTab = (script: string | null) => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', () =>
    script === null
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(new Response(script)),
  );
};

beforeEach(() => {
  reload.mockReset();
  return () => vi.unstubAllGlobals();
});

test('a chunk that is there is loaded, and nothing is reloaded', async () => {
  openTab('import"./chunks/chunk-NEW.js";');
  expect(await loadChunk(() => Promise.resolve(7))).toBe(7);
  expect([reload.mock.calls.length, reloadNotice()]).toEqual([0, null]);
});

test('a chunk of an earlier build reloads the page once, which then says why', async () => {
  openTab('import"./chunks/chunk-NEW.js";');
  void loadChunk(missing);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(reloadNotice()).toBe('Drover was updated. The page has reloaded.');
  await expect(loadChunk(missing)).rejects.toThrow('Drover was updated. Reload the page.');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page of the same build, or without a daemon, stays and reports the failure', async () => {
  for (const script of ['import"./load-chunk.ts";', null]) {
    openTab(script);
    await expect(loadChunk(missing)).rejects.toThrow('could not be loaded');
  }
  expect(reload).not.toHaveBeenCalled();
});
