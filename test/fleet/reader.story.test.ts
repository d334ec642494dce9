/** A reader that the broker has forgotten, on the real nats-server: it reads on soon enough that no host seems away. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBus } from '../../src/fleet/nats/nats-bus.ts';
import { streamsOf } from '../../src/fleet/streams.ts';
import { subjectsOf } from '../../src/fleet/subjects.ts';
import { limits } from '../../src/limits.ts';
import { brokerOfTest, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

const subjects = subjectsOf('a'.repeat(16));
const host = 'b'.repeat(16);

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a reader whose end at the broker is gone reads on, before a host counts as away', {
    timeout: 60_000,
  }, async () => {
    const { url } = await brokerOfTest();
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

    const connection = await connect({ servers: url });
    onTestFinished(() => connection.close());
    const { consumers } = await jetstreamManager(connection);
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
});
