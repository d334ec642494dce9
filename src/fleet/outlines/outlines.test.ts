import { expect, test, vi } from 'vitest';
import type { Event } from '../../contract/event.ts';
import { aFleet } from '../../testing/fleet.ts';
import { OutlinePublisher } from './outline-publisher.ts';
import { type Cursor, OutlineReader, type ReadBatch } from './outline-reader.ts';

const eventAt = (seq: number): Event => ({
  seq,
  at: seq,
  seen: Date.now(),
  source: 'hook',
  name: 'Stop',
  sessionId: 'abcdef',
  context: {},
  raw: Buffer.from('a prompt that nobody else reads'),
});

const outlining = async () => {
  const all = aFleet();
  const [laptop, box] = [all.stranger('laptop', 'seat'), all.stranger('devbox')];
  const [here, there] = [
    await all.open(laptop.host, [laptop.entry, box.entry]),
    await all.open(box.host, [laptop.entry, box.entry]),
  ];
  const log: Event[] = [];
  const common = { subjects: all.subjects, fleet: all.fleet };
  const publisher = (epoch = 'e1') =>
    new OutlinePublisher({
      ...common,
      ...there,
      host: box.host,
      key: box.key,
      epoch,
      read: (after, rows) => log.filter(({ seq }) => seq > after).slice(0, rows),
      now: Date.now,
      onError: () => {},
    });
  const append = (count: number) => {
    for (let n = 0; n < count; n++) log.push(eventAt(log.length + 1));
  };
  const reader = async (cursor: Cursor = {}) => {
    const read: ReadBatch[] = [];
    const one = new OutlineReader({ ...common, ...here, onBatch: batch => void read.push(batch) }, cursor);
    await one.start();
    return { one, read, seqs: () => read.flatMap(({ events }) => events.map(([seq]) => seq)) };
  };
  return { ...all, box, here, there, log, publisher, append, reader };
};

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test('every event of a host is read once and in order, including earlier ones', async () => {
  const { publisher, append, reader, broker } = await outlining();
  append(450);
  const one = publisher();
  await one.start();
  await vi.waitFor(() => expect(one.counts.published).toBe(450));
  const { seqs } = await reader();
  append(30);
  one.onCommit();
  await vi.waitFor(() => expect(seqs()).toEqual(upTo(480)));
  for (const { bytes } of broker.all) expect(Buffer.from(bytes).toString()).not.toContain('nobody else');
});

test('after a restart, a publisher continues where the broker is, and a reader where it was', async () => {
  const { publisher, append, reader } = await outlining();
  append(10);
  const first = publisher();
  await first.start();
  await vi.waitFor(() => expect(first.counts.published).toBe(10));
  first.stop();
  const { read, one } = await reader();
  one.stop();
  append(5);
  const second = publisher();
  await second.start();
  await vi.waitFor(() => expect(second.counts.published).toBe(5));
  const later = await reader(read.at(-1)?.cursor);
  await vi.waitFor(() => expect(later.seqs()).toEqual([11, 12, 13, 14, 15]));
  expect(later.read.every(({ gap }) => gap === null)).toBe(true);
});

test('a broker that lost its data gets everything again, and a reader gets nothing twice', async () => {
  const { publisher, append, reader, broker } = await outlining();
  append(20);
  const one = publisher();
  await one.start();
  const { seqs } = await reader();
  await vi.waitFor(() => expect(seqs()).toEqual(upTo(20)));
  broker.wipe();
  append(3);
  one.onCommit();
  await vi.waitFor(() => expect(seqs()).toEqual(upTo(23)));
});

test('a lost acknowledgement causes no second copy', async () => {
  const { publisher, append, reader, there } = await outlining();
  append(4);
  const { store } = there.bus;
  vi.spyOn(there.bus, 'store').mockImplementationOnce(async (...args) => {
    await store.apply(there.bus, args);
    throw new Error('timeout');
  });
  const one = publisher();
  await one.start();
  const { seqs } = await reader();
  await vi.waitFor(() => expect(seqs()).toEqual(upTo(4)));
  append(1);
  one.onCommit();
  await vi.waitFor(() => expect(seqs()).toEqual(upTo(5)));
});

test('gaps are reported, and a new log of a host is read from its start', async () => {
  const { publisher, append, reader, log } = await outlining();
  append(6);
  const one = publisher();
  await one.start();
  await vi.waitFor(() => expect(one.counts.published).toBe(6));
  one.stop();
  const { box } = { box: (await reader()).read[0]?.host ?? '' };
  const late = await reader({ [box]: { epoch: 'e1', seq: -5 } });
  expect(late.read[0]?.gap).toEqual({ after: -5, first: 1 });
  log.length = 0;
  append(2);
  const other = publisher('e2');
  await other.start();
  await vi.waitFor(() => expect(late.seqs()).toEqual([...upTo(6), 1, 2]));
});

test('a cursor names no host that was revoked', async () => {
  const { publisher, append, reader, here, sealed, stranger, box } = await outlining();
  const former = stranger('former');
  await here.roster.take(sealed({ ...former.entry, isRevoked: true }));
  append(1);
  const one = publisher();
  await one.start();
  const { read } = await reader({ [former.host]: { epoch: 'e', seq: 3 } });
  await vi.waitFor(() => expect(read).toHaveLength(1));
  expect(read[0]?.cursor).toEqual({ [box.host]: { epoch: 'e1', seq: 1 } });
});

test('a host waits while the broker has its batch but shows an earlier one', async () => {
  const { publisher, append, there } = await outlining();
  append(1);
  const store = vi.spyOn(there.bus, 'store').mockResolvedValue({ seq: 1, isDuplicate: true });
  const one = publisher();
  await one.start();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(store).toHaveBeenCalledTimes(1);
  one.stop();
});
