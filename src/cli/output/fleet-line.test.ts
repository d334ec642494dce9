import { expect, test } from 'vitest';
import { aFleetStatus, aHost } from '../../testing/fleet-status.ts';
import { fleetLine } from './fleet-line.ts';

const now = 600_000;
const here = aHost({ name: 'laptop', state: 'here', waiting: 5 });

test('the line says where the broker is, what this host is, which hosts are away and what waits there', () => {
  const hosts = [here, aHost({ waiting: 3 }), aHost({ name: 'nas', state: 'away', waiting: 9 })];
  expect(fleetLine(aFleetStatus({ hosts }), now)).toBe(
    'connected for 10 min, nats://127.0.0.1:4222, laptop is an admin, 3 hosts, nas away, 3 waiting on other hosts',
  );
});

test('a worker sees no hosts; an unreachable broker and a problem stand out', () => {
  const host = { id: 'x', name: 'devbox', role: 'worker' } as const;
  expect(fleetLine(aFleetStatus({ host }), now)).toBe(
    'connected for 10 min, nats://127.0.0.1:4222, devbox is a worker',
  );
  expect(fleetLine(aFleetStatus({ host, connection: 'unreachable', problem: 'refused' }), now)).toBe(
    'UNREACHABLE for 10 min, tried nats://127.0.0.1:4222, devbox is a worker, PROBLEM: refused',
  );
});
