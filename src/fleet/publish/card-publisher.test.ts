import { expect, onTestFinished, test, vi } from 'vitest';
import { aFleet } from '../../testing/fleet.ts';
import { limits } from '../../limits.ts';
import type { CardFacts } from './card-facts.ts';
import { CardPublisher } from './card-publisher.ts';
import { bodyOf, readEnvelope } from '../envelope.ts';
import { HostCard } from '../../contract/fleet.ts';

const publishing = async () => {
  let now = 1_000_000;
  const all = aFleet(() => now);
  const box = all.stranger('devbox');
  const start = async (isAtHome: boolean, instance: string) => {
    const startedAt = now;
    const seen = { copied: [] as string[], allowed: 0, errors: [] as string[] };
    const facts: CardFacts = {
      name: 'devbox',
      epoch: 'e',
      version: '1',
      instance,
      startedAt,
      seq: 1,
      waiting: 0,
      working: 0,
      sessions: 0,
    };
    const { bus } = await all.open(box.host, [box.entry]);
    const card = new CardPublisher({
      bus,
      subjects: all.subjects,
      fleet: all.fleet,
      host: box.host,
      key: box.key,
      isAtHome,
      facts: () => facts,
      now: () => now,
      onError: message => void seen.errors.push(message),
      onCopied: problem => void seen.copied.push(problem),
      onAllowed: () => void seen.allowed++,
    });
    await card.start();
    return { card, seen, bus };
  };
  const lastCard = () => {
    const stored = all.broker.stored.get(all.subjects.host(box.host));
    const envelope = stored && readEnvelope(stored.bytes);
    return envelope ? bodyOf(HostCard, envelope) : null;
  };
  return { ...all, host: box.host, start, lastCard, pass: (ms: number) => void (now += ms) };
};

test('a host that starts again publishes at once', async () => {
  const { start, lastCard, pass } = await publishing();
  const first = await start(true, 'one');
  first.card.stop();
  pass(1_000);
  const second = await start(true, 'two');
  expect(second.seen).toMatchObject({ allowed: 1, copied: [] });
  expect(lastCard()).toMatchObject({ instance: 'two' });
  second.card.stop();
});

test('a copied home that starts while the original is running stops, and reports why', async () => {
  const { start, lastCard, pass } = await publishing();
  const original = await start(true, 'original');
  pass(1_000);
  const copy = await start(false, 'copy');
  expect(copy.seen.allowed).toBe(0);
  expect(copy.seen.copied).toEqual([expect.stringContaining('is a copy')]);
  expect(lastCard()).toMatchObject({ instance: 'original' });
  original.card.stop();
});

test('a home that was moved publishes once its old place is silent', async () => {
  const { start, lastCard, pass } = await publishing();
  const before = await start(true, 'before');
  before.card.stop();
  pass(limits.fleet.away + 1);
  const moved = await start(false, 'moved');
  expect(moved.seen).toMatchObject({ allowed: 1, copied: [] });
  expect(lastCard()).toMatchObject({ instance: 'moved' });
  moved.card.stop();
});

test('of two machines that publish as one host, the later one stops', async () => {
  const { start, pass } = await publishing();
  const first = await start(true, 'first');
  pass(1_000);
  // The same place and machine: only the conflict shows it.
  const second = await start(true, 'second');
  await first.card.leave();
  await second.card.leave();
  expect([first.seen.copied.length, second.seen.copied.length]).toEqual([0, 0]);
  pass(1_000);
  const [third, fourth] = [await start(true, 'third'), (pass(1_000), await start(true, 'fourth'))];
  // The third finds the card of the fourth where it expects its own.
  await third.card.refresh();
  expect(third.seen.copied).toEqual([]);
  await fourth.card.refresh();
  expect(fourth.seen.copied).toEqual([expect.stringContaining('is a copy')]);
  third.card.stop();
});

test('a heartbeat of an earlier run that somebody stores again does not stop a host', async () => {
  const { start, broker, subjects, host, lastCard, pass } = await publishing();
  const before = await start(true, 'before');
  const kept = broker.stored.get(subjects.host(host))?.bytes as Uint8Array;
  before.card.stop();
  pass(1_000);
  const { card, seen } = await start(true, 'now');
  for (let time = 0; time < 2; time++) {
    await broker.put(subjects.host(host), kept);
    await card.refresh();
    expect(lastCard()).toMatchObject({ instance: 'now' });
  }
  expect(seen.copied).toEqual([]);
  card.stop();
});

test('a copy notices the original, although that has a clock which is an hour behind', async () => {
  const { start, pass } = await publishing();
  pass(3_600_000);
  const copy = await start(true, 'copy');
  pass(-3_600_000);
  const original = await start(true, 'original');
  pass(3_600_000);
  await copy.card.refresh();
  expect(copy.seen.copied).toEqual([]);
  pass(-3_590_000);
  await original.card.refresh();
  pass(3_590_000);
  await copy.card.refresh();
  expect([copy.seen.copied.length, original.seen.copied.length]).toEqual([1, 0]);
  original.card.stop();
});

test('a broker that lost its data gets the card again', async () => {
  const { start, broker, lastCard } = await publishing();
  const { card, seen } = await start(true, 'one');
  broker.wipe();
  await card.refresh();
  expect(lastCard()).toMatchObject({ instance: 'one' });
  expect(seen).toMatchObject({ copied: [], errors: [] });
  card.stop();
});

test('a start that was overtaken by a stop or another start sends no heartbeats beside it, and allows nothing', async () => {
  const { start, broker } = await publishing();
  const { card, seen, bus } = await start(true, 'one');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await Promise.all([card.start(), card.start()])).toEqual([false, true]);
  const before = broker.all.length;
  vi.advanceTimersByTime(limits.fleet.card);
  await vi.waitFor(() => expect(broker.all.length).toBeGreaterThan(before));
  expect([seen.allowed, vi.getTimerCount()]).toEqual([2, 1]);
  const store = bus.store.bind(bus);
  vi.spyOn(bus, 'store').mockImplementationOnce((...given) => {
    card.stop();
    return store(...given);
  });
  expect(await card.start()).toBe(false);
  expect([seen.allowed, vi.getTimerCount()]).toEqual([2, 0]);
});
