import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { Streams } from '../../live/streams.ts';
import type { Log } from '../../store/log.ts';
import type { Call } from '../call.ts';
import { followOutlines } from './outlines.ts';

const opened = () => {
  const streams = new Streams({} as Loop, {} as Log);
  onTestFinished(() => streams.close());
  const stop = vi.fn();
  const follow = async (name: string) => {
    const caller: Caller = { kind: 'token', name, session: null, rights: ['read'] };
    const call = { headers: {}, query: new URLSearchParams(), caller } as unknown as Call;
    const sink = new PassThrough();
    await followOutlines({ readOutlines: () => stop }, streams, call).connect(sink);
    return sink.resume();
  };
  const ended = (sink: PassThrough) => vi.waitFor(() => expect(sink.closed).toBe(true));
  return { streams, stop, follow, ended };
};

test('a revoked token loses its stream of outlines, and nothing more is read for it', async () => {
  const { streams, stop, follow, ended } = opened();
  const [revoked, other] = [await follow('revoked'), await follow('other')];
  expect([streams.size, streams.outlineReaders]).toEqual([2, 2]);
  streams.disconnectWhere(({ name }) => name === 'revoked');
  await ended(revoked);
  expect(stop).toHaveBeenCalledTimes(1);
  expect([streams.size, streams.outlineReaders, other.closed]).toEqual([1, 1, false]);
});

test('when the fleet is closed its readers are told by the end of their streams', async () => {
  const { streams, stop, follow, ended } = opened();
  const sink = await follow('one');
  streams.endOutlines();
  await ended(sink);
  expect(stop).toHaveBeenCalledTimes(1);
  expect(streams.size).toBe(0);
});

test('the number of readers of outlines is limited', async () => {
  const { follow } = opened();
  for (let n = 0; n < limits.fleet.outlineReaders; n++) await follow('one');
  await expect(follow('one')).rejects.toMatchObject({ code: 'busy' });
});

test('a stream of outlines is kept alive while nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { follow } = opened();
  const sink = await follow('one');
  const text: string[] = [];
  sink.on('data', (bytes: Buffer) => text.push(bytes.toString()));
  vi.advanceTimersByTime(limits.stream.keepAlive);
  await vi.waitFor(() => expect(text.join('')).toMatch(/^:/));
});

test('a batch is one frame with its cursor, so that nothing is read twice after a break', async () => {
  const { streams } = opened();
  const cursor = { host1: { epoch: 'e', seq: 2 } };
  const outline = (seq: number) => [seq, 1_000, 'hook', 'Stop', 's'] as const;
  const batch = {
    host: 'host1',
    name: 'devbox',
    epoch: 'e',
    gap: null,
    cursor,
    events: [outline(1), outline(2)],
  };
  let asked: object = {};
  const fleet: Parameters<typeof followOutlines>[0] = {
    readOutlines: (from, onBatch) => {
      asked = from;
      void onBatch(batch);
      return () => {};
    },
  };
  const read = async (id?: string) => {
    const caller: Caller = { kind: 'token', name: 'one', session: null, rights: ['read'] };
    const headers = id === undefined ? {} : { 'last-event-id': id };
    const call = { headers, query: new URLSearchParams(), caller } as unknown as Call;
    const sink = new PassThrough();
    await followOutlines(fleet, streams, call).connect(sink);
    return String(await vi.waitFor(() => sink.read() ?? Promise.reject(new Error('nothing was written'))));
  };
  const frames = (await read()).split('\n\n').filter(text => text.includes('data: '));
  expect(frames).toHaveLength(1);
  const [id, data] = [/^id: (.*)$/m, /^data: (.*)$/m].map(form => form.exec(frames[0] ?? '')?.[1] ?? '');
  expect((JSON.parse(data ?? '') as { events: { seq: number }[] }).events.map(({ seq }) => seq)).toEqual([
    1, 2,
  ]);
  await read(id);
  expect(asked).toEqual(cursor);
});
