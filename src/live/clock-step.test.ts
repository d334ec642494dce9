/** Somebody sets the clock: states and ages stay right, and no history is removed. */
import { expect, test, vi } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { Retention } from './retention.ts';

const hour = 3_600_000;
const day = 24 * hour;
const id = String(hookDraft('Stop').sessionId);

/** A pipeline with a clock that can be set. */
const opened = async (paths?: Parameters<typeof openPipeline>[0], offset = 0) => {
  const clock = { offset, now: () => Date.now() + clock.offset, uptime: () => performance.now() };
  const pipeline = await openPipeline(paths, clock);
  pipeline.loop.startConfirming(() => Promise.resolve());
  const hook = (name: string, fields = {}) =>
    pipeline.loop.append([{ draft: hookDraft(name, fields, {}, clock.now()) }]);
  const file = (status: string, fields = {}) => {
    const draft: Draft = {
      ...hookDraft('FileStatus', { status, pid: 7, ...fields }, { pid: 7 }, clock.now()),
      source: 'file',
    };
    return pipeline.loop.append([{ draft }]);
  };
  const becomes = (expected: object) =>
    vi.waitFor(() => expect(pipeline.loop.sessionIndex.get(id)).toMatchObject(expected), {
      timeout: 3_000,
      interval: 20,
    });
  return { ...pipeline, clock, hook, file, becomes };
};

const asks = { tool_name: 'Bash', tool_input: { command: 'ls' } };

test.each([-hour, hour, -400 * day, 400 * day, -500])(
  'a session that asks after the clock was set by %d ms is seen to wait, and later to work again',
  async by => {
    const { clock, hook, file, becomes, loop } = await opened();
    await hook('SessionStart');
    await file('idle');
    await hook('UserPromptSubmit', { prompt: 'go' });
    await file('busy');
    await hook('PreToolUse', asks);
    await becomes({ state: 'working' });
    const before = loop.sessionIndex.get(id)?.since ?? 0;
    clock.offset = by;
    const setAt = clock.now();
    await hook('PermissionRequest', asks);
    await file('waiting', { waitingFor: 'permission prompt' });
    await becomes({ state: 'waiting', reason: 'permission' });
    const { since = 0 } = loop.sessionIndex.get(id) ?? {};
    expect(since).toBeGreaterThanOrEqual(setAt);
    expect(since).toBeLessThanOrEqual(clock.now());
    expect(loop.sessionIndex.get(id)?.memory.trail.at(-2)?.at).toBeCloseTo(before + by, -2);
    await hook('PostToolUse', asks);
    await file('busy');
    await becomes({ state: 'working' });
    await hook('Stop', { last_assistant_message: 'done' });
    await file('idle');
    await becomes({ state: 'waiting', reason: 'stopped' });
  },
);

test('a clock that is set while nothing else happens moves what a session waits for', async () => {
  const { clock, hook, file, becomes, loop, store } = await opened();
  await hook('UserPromptSubmit', { prompt: 'go' });
  await file('busy');
  await becomes({ state: 'working' });
  const waits = store.waits.read(0).length + store.spans.read(0).length;
  // An interrupt: the file says idle, which counts only after some time.
  await file('idle');
  clock.offset = -hour;
  await becomes({ state: 'waiting', reason: 'interrupted' });
  expect(loop.sessionIndex.get(id)?.since).toBeLessThanOrEqual(clock.now());
  // Setting the clock ended no wait and no span; the interrupt ended one.
  expect(store.waits.read(0).length + store.spans.read(0).length).toBe(waits + 1);
});

test('a clock that was set back while no daemon ran is noticed at the start, and an ended session can be resumed', async () => {
  const first = await opened();
  await first.hook('UserPromptSubmit', { prompt: 'go' });
  await first.hook('Stop');
  await first.hook('SessionEnd', { reason: 'other' });
  await first.becomes({ state: 'ended' });
  await first.close();
  const second = await opened(first.paths, -hour);
  await second.hook('SessionStart', { source: 'resume' });
  await second.becomes({ state: 'ready' });
  await second.hook('UserPromptSubmit', { prompt: 'again' });
  await second.becomes({ state: 'working' });
  expect(second.loop.sessionIndex.get(id)?.since).toBeLessThanOrEqual(second.clock.now());
});

test('the same log gives the same state, also with a clock that was set', async () => {
  const first = await opened();
  await first.hook('UserPromptSubmit', { prompt: 'go' });
  first.clock.offset = -hour;
  await first.hook('PermissionRequest', asks);
  await first.becomes({ state: 'waiting' });
  const before = first.loop.sessionIndex.all();
  first.store.write(() => {
    first.store.sessions.remove(id);
    first.store.sessions.save([], 0);
  });
  await first.close();
  expect((await opened(first.paths, -hour)).loop.sessionIndex.all()).toEqual(before);
});

test('a clock that jumps ahead removes no history until the daemon has run with it for a day', async () => {
  const { store, loop, hook } = await openPipeline().then(async pipeline => ({
    ...pipeline,
    hook: (name: string) => pipeline.loop.append([{ draft: hookDraft(name) }]),
  }));
  for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']) await hook(name);
  const clock = {
    passed: 0,
    ahead: 0,
    now: () => Date.now() + clock.passed + clock.ahead,
    uptime: () => clock.passed,
  };
  const bounds = { age: 30 * day, events: 1e6, bytes: 1e12, sessionEvents: 1e6, sessionBytes: 1e12 };
  const cut = async () => {
    await new Retention(store, loop.sessionIndex, bounds, clock, () => {}).prune();
    return store.log.read({ after: 0, rows: 10 }).length;
  };
  expect(await cut()).toBe(4);
  clock.passed += 60_000;
  clock.ahead = 60 * day;
  expect(await cut()).toBe(4);
  clock.passed += 12 * hour;
  expect(await cut()).toBe(4);
  // Back again, and ahead once more: from then on it must be set for a whole day.
  clock.ahead = 0;
  expect(await cut()).toBe(4);
  clock.ahead = 60 * day;
  clock.passed += 13 * hour;
  expect(await cut()).toBe(4);
  clock.passed += 25 * hour;
  expect(await cut()).toBe(0);
});
