import { expect, test } from 'vitest';
import { aFleetStatus, aHost } from '../../testing/fleet-status.ts';
import { version } from '../../version.ts';
import { checksOf } from './fleet-checks.ts';

const now = 600_000;
const found = (...given: Parameters<typeof aFleetStatus>) =>
  checksOf(aFleetStatus(...given), now).map(({ name, ok, says }) => [name, ok, says]);
const connected = [
  'fleet',
  true,
  'connected to nats://127.0.0.1:4222 (NATS 2.14.0) for 10 min, 2 hosts',
] as const;

test('a fleet in order is one line', () => {
  expect(found()).toEqual([connected]);
});

test('rejected messages are counted, with why that may be', () => {
  expect(found({ rejected: 1 })[0]?.[2]).toMatch(/; 1 message rejected: not from a member, .*repeated$/);
  expect(found({ rejected: 2 })[0]?.[2]).toContain('; 2 messages rejected:');
});

test('an unreachable broker says since when and why', () => {
  expect(found({ connection: 'unreachable', problem: 'connection refused' })).toEqual([
    ['fleet', false, 'nats://127.0.0.1:4222 has been unreachable for 10 min: connection refused'],
  ]);
  expect(found({ connection: 'refused', problem: 'NATS 2.9.10 is too old' })).toEqual([
    ['fleet', false, 'nats://127.0.0.1:4222 refuses this host: NATS 2.9.10 is too old'],
  ]);
});

test('a broker on another machine is named with its tunnel', () => {
  const brokerHost = { destination: 'me@devbox', tunnel: 'up', problem: null } as const;
  expect(found({ brokerHost })).toEqual([
    connected,
    ['fleet broker', true, 'runs on me@devbox; the tunnel is up'],
  ]);
  const down = { ...brokerHost, tunnel: 'down', problem: 'Connection refused' } as const;
  expect(found({ connection: 'unreachable', brokerHost: down })).toContainEqual([
    'fleet broker',
    false,
    'runs on me@devbox; the tunnel is down: Connection refused',
  ]);
});

test('a copied home is a failure although the broker is connected', () => {
  const problem = 'Another machine has been publishing as this host.';
  expect(found({ problem })).toEqual([['fleet', false, problem]]);
});

test('hosts that are away are named with their age, which is no failure', () => {
  const hosts = [
    aHost({ state: 'away', seenAt: now - 180_000 }),
    aHost({ name: 'nas', state: 'never-seen', seenAt: null }),
    aHost({ name: 'old', state: 'revoked' }),
  ];
  expect(found({ hosts })).toEqual([
    [...connected],
    ['fleet hosts', null, 'away: devbox (3 min), nas (never seen)'],
  ]);
});

test('a clock difference of 2 s or more is reported, and another version of Drover', () => {
  const hosts = [
    aHost({ skew: 3_600_000, version }),
    aHost({ name: 'nas', skew: -2_500 }),
    aHost({ name: 'near', skew: 1_900, version: '0.0.9' }),
  ];
  expect(found({ hosts }).slice(1)).toEqual([
    ['fleet clock', false, 'the clock of devbox is 1 h 0 min ahead of this one; ages are corrected'],
    ['fleet clock', false, 'the clock of nas is 2.5 s behind this one; ages are corrected'],
    ['fleet version', null, `near runs 0.0.9; this is ${version}`],
  ]);
});

test('a worker reports nothing about hosts that it cannot see', () => {
  const host = { id: 'bbbbbbbb234567ab', name: 'laptop', role: 'worker' } as const;
  expect(found({ host, hosts: [aHost({ state: 'never-seen' })] })).toHaveLength(1);
});

test('a membership that the daemon has not opened is a failure', () => {
  expect(found({ isJoined: false })).toMatchObject([['fleet', false, expect.stringContaining('not opened')]]);
});
