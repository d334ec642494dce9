import { expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { aFleet } from '../testing/fleet.ts';
import { seal } from './envelope.ts';
import { Hosts } from './hosts.ts';

const hour = 3_600_000;

/** A laptop and a host that publishes cards. `brokerAhead`: how far the clock of the broker is ahead of that of the laptop. */
const seeing = async (brokerAhead = 0) => {
  let now = 10 * hour;
  const all = aFleet(() => now + brokerAhead);
  const [laptop, box] = [all.stranger('laptop', 'seat'), all.stranger('devbox')];
  const opened = await all.open(laptop.host, [laptop.entry, box.entry]);
  opened.hosts.stop();
  const hosts = new Hosts({
    ...opened,
    subjects: all.subjects,
    fleet: all.fleet,
    host: laptop.host,
    now: () => now,
    onChange: () => {},
  });
  const sign = async (more: object = {}) => {
    const about = { host: box.host, name: 'devbox', epoch: 'e', version: '1', instance: 'one', startedAt: 1 };
    const counts = { seq: 1, waiting: 0, working: 0, sessions: 1 };
    const card = { ...about, ...counts, clock: now, ...more };
    await all.broker.put(
      all.subjects.host(box.host),
      seal(all.fleet, 'host', box.host, box.key.secret, card),
    );
  };
  return { ...opened, hosts, box, sign, now: () => now, pass: (ms: number) => void (now += ms) };
};

test('a heartbeat that was stored while this machine was away does not count as one of now', async () => {
  const { hosts, box, sign, now, pass } = await seeing(hour);
  hosts.start();
  await sign();
  const seen = now();
  expect(hosts.get(box.host)).toMatchObject({ seenAt: seen, skew: 0 });
  hosts.stop();
  pass(10_000);
  await sign();
  pass(hour);
  hosts.start();
  await vi.waitFor(() => expect(hosts.get(box.host)?.seenAt).toBe(seen + 10_000));
  expect(hosts.get(box.host)?.skew).toBe(0);
  expect(hosts.isAway(box.host)).toBe(true);
  await sign();
  expect(hosts.isAway(box.host)).toBe(false);
});

test('a heartbeat that is repeated, too large or older than the last run of the host is dropped', async () => {
  const { hosts, box, sign, rejected, now, pass } = await seeing();
  hosts.start();
  await sign({ startedAt: 2 });
  const seen = now();
  pass(1_000);
  await sign({ startedAt: 2, clock: seen });
  await sign({ instance: 'before' });
  await sign({ startedAt: 2, name: 'x'.repeat(limits.fleet.messageBytes) });
  expect(hosts.get(box.host)?.seenAt).toBe(seen);
  expect(rejected()).toBe(1);
});

test('a host whose clock was set back stays online, also after it started again', async () => {
  const { hosts, box, sign, now, pass } = await seeing();
  hosts.start();
  const startedAt = now();
  await sign({ startedAt, number: 1 });
  pass(10_000);
  await sign({ startedAt, number: 2, clock: now() - hour });
  expect(hosts.get(box.host)).toMatchObject({ seenAt: now(), skew: -hour });
  pass(10_000);
  // What it sent before proves nothing.
  await sign({ startedAt, number: 1, clock: startedAt });
  expect(hosts.get(box.host)?.seenAt).toBe(now() - 10_000);
  await sign({ startedAt: now() - hour, clock: now() - hour, instance: 'two', number: 1, seq: 2 });
  expect(hosts.get(box.host)).toMatchObject({ seenAt: now(), card: { instance: 'two' } });
});

test('a host that falls silent after the clock here was set back is away as soon as any other', async () => {
  const { hosts, bus, box, sign, pass } = await seeing();
  hosts.start();
  await sign();
  pass(-hour);
  // What the timer does every second.
  bus.setConnected(true);
  expect(hosts.isAway(box.host)).toBe(false);
  pass(limits.fleet.away + 1_000);
  expect(hosts.isAway(box.host)).toBe(true);
});

test.each([
  { clock: Number.MAX_SAFE_INTEGER },
  { startedAt: -1 },
  { waiting: -5 },
  { version: '1\nok    fleet  all is well' },
  { version: '\x1b[31m1' },
])('a heartbeat with a clock, count or version that no host can have is dropped: %j', async more => {
  const { hosts, box, sign, rejected } = await seeing();
  hosts.start();
  await sign(more);
  expect(hosts.get(box.host)).toBeNull();
  expect(rejected()).toBe(1);
});
