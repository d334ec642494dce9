import { expect, test } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import type { Commit } from './loop.ts';

/** A working session that only the file reports as idle: its hook has not arrived yet. */
const tentative = async () => {
  const { loop, errors, events } = await openPipeline();
  const idle: Draft = { ...hookDraft('FileStatus', { status: 'idle', pid: 7 }, { pid: 7 }), source: 'file' };
  await loop.append([{ draft: hookDraft('UserPromptSubmit', {}, { pid: 7 }) }]);
  await loop.append([{ draft: { ...idle, at: Date.now() } }]);
  const session = () => loop.sessionIndex.all()[0];
  const isSettled = (commit?: Commit) => commit?.event.name === 'Settled' || undefined;
  return { loop, errors, events, session, settled: () => loop.until(isSettled, { timeout: 5_000 }) };
};

test('a tentative state is confirmed by a Settled event when it is due', async () => {
  const { loop, session, settled } = await tentative();
  expect(session()?.state).toBe('working');
  expect(session()?.memory.due).not.toBe(null);
  const done = settled();
  loop.startConfirming(() => Promise.resolve());
  expect(await done).toBe(true);
  expect(session()?.state).toBe('waiting');
});

test('the sources are read first: what they report then is not overruled', async () => {
  const { loop, session, events } = await tentative();
  let reads = 0;
  const read = new Promise<void>(done => {
    loop.startConfirming(async () => {
      reads++;
      await loop.append([{ draft: hookDraft('SessionEnd', { reason: 'other' }, { pid: 7 }) }]);
      done();
    });
  });
  await read;
  expect(session()).toMatchObject({ state: 'ended', evidence: { name: 'SessionEnd' } });
  await loop.append([]);
  expect(events().map(({ name }) => name)).toEqual(['UserPromptSubmit', 'FileStatus', 'SessionEnd']);
  expect(reads).toBe(1);
});

test('nothing is confirmed while the sources cannot be read; it is tried again', async () => {
  const { loop, errors, session, settled } = await tentative();
  let failures = 0;
  const done = settled();
  loop.startConfirming(() => (failures++ === 0 ? Promise.reject(new Error('locked')) : Promise.resolve()));
  expect(await done).toBe(true);
  expect(failures).toBe(2);
  expect(errors).toEqual([expect.stringContaining('Could not record a Settled event')]);
  expect(session()?.state).toBe('waiting');
});

test('nothing is confirmed after it was stopped', async () => {
  const { loop, session } = await tentative();
  let reads = 0;
  const stop = loop.startConfirming(() => Promise.resolve(void reads++));
  stop();
  expect(await loop.until(() => undefined, { timeout: 1_500 })).toBe(undefined);
  expect([reads, session()?.state]).toEqual([0, 'working']);
});
