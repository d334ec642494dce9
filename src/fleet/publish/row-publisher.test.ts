import { expect, test, vi } from 'vitest';
import { FleetRow } from '../../contract/fleet.ts';
import type { Session } from '../../contract/session.ts';
import type { Commit } from '../../live/loop.ts';
import { aFleet } from '../../testing/fleet.ts';
import { aSession } from '../../testing/session.ts';
import { bodyOf, readEnvelope } from '../envelope.ts';
import { RowPublisher } from './row-publisher.ts';

const id = '6c57b6f4-0000-4000-8000-000000000001';

const publishing = async (share: 'all' | 'states' = 'all') => {
  const all = aFleet();
  const box = all.stranger('devbox');
  const { bus } = await all.open(box.host, [box.entry]);
  const sessions = new Map<string, Session>();
  const errors: string[] = [];
  const publisher = new RowPublisher({
    bus,
    subjects: all.subjects,
    fleet: all.fleet,
    host: box.host,
    key: box.key,
    epoch: 'e1',
    share,
    sessions: () => sessions.values(),
    session: wanted => sessions.get(wanted),
    lastSeq: () => 9,
    now: () => 5_000,
    onError: message => void errors.push(message),
  });
  const change = (session: Session) => {
    const before = sessions.get(session.id);
    sessions.set(session.id, session);
    publisher.onCommit({
      event: {},
      payload: null,
      changed: [{ before, after: session }],
    } as unknown as Commit);
  };
  const rows = () =>
    [...all.broker.stored.values()]
      .filter(({ subject }) => subject.startsWith(`${all.subjects.root}.row.`))
      .map(({ bytes }) => {
        const envelope = readEnvelope(bytes);
        return envelope && bodyOf(FleetRow, envelope);
      });
  const row = () => rows().find(found => found?.session === id);
  return { ...all, bus, publisher, sessions, change, rows, row, errors };
};

test('the row of a session contains nothing that it asks, says, runs or reads', async () => {
  const marker = 'marker-31337';
  const { publisher, change, broker, row } = await publishing();
  await publisher.start();
  change(
    aSession({
      id,
      state: 'waiting',
      reason: 'permission',
      title: 'Payments',
      detail: { line: marker, text: marker, cut: 0, tool: marker, questions: [], agent: marker, request: 7 },
      requests: [{ id: 7, kind: 'permission', tool: marker, agent: null, line: marker, at: 1, until: null }],
      tasks: [{ id: marker, type: 'shell', what: marker }],
      crons: [{ schedule: marker, recurring: true, prompt: marker }],
      stalled: { since: 1, tool: marker, queued: true },
      tags: [marker],
      cwd: `/${marker}`,
      dir: `/${marker}`,
      transcript: `/${marker}`,
    }),
  );
  await vi.waitFor(() =>
    expect(row()).toMatchObject({ reason: 'permission', title: 'Payments', requests: 1 }),
  );
  for (const { bytes } of broker.stored.values()) expect(Buffer.from(bytes).toString()).not.toContain(marker);
});

test('a host with `share: states` publishes neither title nor branch', async () => {
  const { publisher, change, row } = await publishing('states');
  await publisher.start();
  change(aSession({ id, title: 'Secret plan', branch: 'secret', project: 'shop' }));
  await vi.waitFor(() => expect(row()).toMatchObject({ title: null, branch: null, project: 'shop' }));
});

test('nothing is published before the start, then everything that differs from the broker', async () => {
  const { publisher, change, rows, row } = await publishing();
  change(aSession({ id, title: 'One' }));
  await new Promise(setImmediate);
  expect(rows()).toEqual([]);
  await publisher.start();
  await vi.waitFor(() => expect(row()).toMatchObject({ title: 'One' }));
  const { published } = publisher.counts;
  await publisher.start();
  await new Promise(setImmediate);
  expect(publisher.counts.published).toBe(published);
});

test('rows that the broker lost are published again, and rows of forgotten sessions are removed', async () => {
  const { publisher, sessions, change, broker, row } = await publishing();
  await publisher.start();
  change(aSession({ id }));
  await vi.waitFor(() => expect(row()).toBeDefined());
  broker.wipe();
  await publisher.start();
  await vi.waitFor(() => expect(row()).toBeDefined());
  sessions.delete(id);
  await publisher.start();
  await vi.waitFor(() => expect(row()).toMatchObject({ isGone: true, title: null, project: null }));
});

test('sessions that others report to this machine are not published', async () => {
  const { publisher, change, rows, row } = await publishing();
  await publisher.start();
  change(aSession({ id: `${id}@ci`, origin: 'ci' }));
  // Rows are published in order.
  change(aSession({ id }));
  await vi.waitFor(() => expect(row()).toBeDefined());
  expect(rows()).toHaveLength(1);
});

test('rows that changed while the broker was away are published when it is back', async () => {
  const { publisher, bus, change, row, errors } = await publishing();
  await publisher.start();
  change(aSession({ id, title: 'One' }));
  await vi.waitFor(() => expect(row()).toMatchObject({ title: 'One' }));
  bus.setConnected(false);
  change(aSession({ id, title: 'Two', seq: 3 }));
  await vi.waitFor(() => expect(errors).toEqual(['Rows were not published']));
  bus.setConnected(true);
  await vi.waitFor(() => expect(row()).toMatchObject({ title: 'Two' }));
});
