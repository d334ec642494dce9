/** Readers whose end at the broker is gone, on the real nats-server: they read on soon enough that no host seems away. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StreamSettings } from '../../src/fleet/bus.ts';
import { openBus } from '../../src/fleet/nats/nats-bus.ts';
import { retry } from '../../src/fleet/retry.ts';
import { streamsOf } from '../../src/fleet/streams.ts';
import { subjectsOf } from '../../src/fleet/subjects.ts';
import { limits } from '../../src/limits.ts';
import { type Broker, brokerCluster } from '../rig/broker.ts';
import { brokerOfTest, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

const subjects = subjectsOf('a'.repeat(16));
const host = 'b'.repeat(16);

const busAt = async (url: string) => {
  const bus = openBus({
    servers: [url],
    login: { kind: 'none' },
    certificate: null,
    authorities: null,
    name: 'test',
    inbox: subjects.inbox(host),
    now: Date.now,
    onError: () => {},
  });
  onTestFinished(() => bus.close());
  await until(
    10_000,
    () => 'the broker is not reached',
    () => bus.state.connection === 'connected' || undefined,
  );
  return bus;
};

const managerAt = async (url: string) => {
  const connection = await connect({ servers: url });
  onTestFinished(() => connection.close());
  return jetstreamManager(connection);
};

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a reader whose end at the broker is gone reads on, before a host counts as away', {
    timeout: 60_000,
  }, async () => {
    const { url } = await brokerOfTest();
    const bus = await busAt(url);
    for (const stream of streamsOf(subjects, 1)) await bus.ensureStream(stream);
    const read: string[] = [];
    const { caughtUp } = bus.follow(
      subjects.rowStream,
      subjects.allHosts,
      ({ bytes }) => void read.push(Buffer.from(bytes).toString()),
    );
    await caughtUp;
    await bus.store(subjects.host(host), Buffer.from('before'));
    await until(
      5_000,
      () => read.join(', '),
      () => read.includes('before') || undefined,
    );

    const { consumers } = await managerAt(url);
    for await (const { name } of consumers.list(subjects.rowStream))
      await consumers.delete(subjects.rowStream, name);
    await bus.store(subjects.host(host), Buffer.from('after'));
    await until(
      limits.fleet.away / 2,
      () => read.join(', '),
      () => read.includes('after') || undefined,
    );
    expect(read).toEqual(['before', 'after']);
  });

  test('readers that one of three brokers kept read on while it is down, without a new connection', {
    timeout: 120_000,
  }, async () => {
    const brokers = await brokerCluster();
    onTestFinished(async () => {
      for (const broker of brokers) await broker.close();
    });
    const [first] = brokers as [Broker];
    const bus = await busAt(first.url);
    const [, , logs] = streamsOf(subjects, 3) as [unknown, unknown, StreamSettings];
    await retry(
      () => bus.ensureStream(logs),
      () => true,
      () => {},
    );
    // Each is kept by one of the three, at random.
    const readers = Array.from({ length: 6 }, () => {
      const read = new Set<string>();
      const { caughtUp } = bus.replay(
        subjects.logStream,
        subjects.allLogs,
        ({ bytes }) => void read.add(Buffer.from(bytes).toString()),
      );
      return { read, caughtUp };
    });
    await Promise.all(readers.map(({ caughtUp }) => caughtUp));
    const { consumers } = await managerAt(first.url);
    const keepers: (string | undefined)[] = [];
    for await (const { cluster } of consumers.list(subjects.logStream)) keepers.push(cluster?.leader);
    const killed = brokers.find(({ url }) => url !== first.url && keepers.includes(`n${new URL(url).port}`));
    await killed?.kill();
    await retry(
      async () => void (await bus.store(subjects.log(host), Buffer.from('after'))),
      () => true,
      () => {},
    );
    // The broker may place a reader on the one that is down, a few times in a row.
    await until(
      45_000,
      () =>
        `${readers.filter(({ read }) => read.has('after')).length} of 6 read on; kept by ${keepers.join()}`,
      () => readers.every(({ read }) => read.has('after')) || undefined,
    );
    expect(killed).toBeDefined();
    expect(bus.state.connection).toBe('connected');
  });
});
