import { expect, onTestFinished, test, vi } from 'vitest';
import type { RosterEntry } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import { aFleet } from '../../testing/fleet.ts';
import { NoReceiver } from '../bus.ts';
import { RosterPublisher } from './roster-publisher.ts';

const opened = async () => {
  const fleet = aFleet();
  const { host, entry } = fleet.stranger('devbox');
  const { bus, roster } = await fleet.open(fleet.stranger('laptop').host, [entry]);
  const { fleet: id, fleetSecret, subjects, broker } = fleet;
  const publisher = new RosterPublisher({
    bus,
    subjects,
    fleet: id,
    fleetSecret,
    roster,
    onError: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  const lastOf = () => broker.stored.get(subjects.roster(host))?.bytes;
  const put = (changed: RosterEntry) => broker.put(subjects.roster(host), fleet.sealed(changed));
  return { bus, roster, publisher, lastOf, host, entry, put };
};

test('a host is revoked while the broker is away, and published when it is back', async () => {
  const { bus, roster, publisher, lastOf, host, entry } = await opened();
  bus.setConnected(false);
  expect(await publisher.publish({ ...entry, isRevoked: true, revision: 2 })).toBe(false);
  expect([roster.get(host), lastOf()]).toEqual([null, undefined]);
  bus.setConnected(true);
  await publisher.restore();
  expect(lastOf()).toEqual(roster.entryOf(host));
});

test('an admin that was restored from a backup does not bring back a host that was revoked since', async () => {
  const { roster, publisher, lastOf, host, entry, put } = await opened();
  await put({ ...entry, isRevoked: true, revision: 2 });
  const newer = lastOf();
  await publisher.restore();
  expect(lastOf()).toEqual(newer);
  expect(roster.get(host)).toBeNull();
});

test('nobody is enrolled while the broker stays away', async () => {
  const { bus, roster, publisher, host, entry } = await opened();
  bus.setConnected(false);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const published = publisher.publish({ ...entry, name: 'other', revision: 2 }).catch(error => error);
  await vi.advanceTimersByTimeAsync(limits.fleet.enrol + 1_000);
  expect(await published).toBeInstanceOf(NoReceiver);
  expect(roster.get(host)?.name).toBe('devbox');
});
