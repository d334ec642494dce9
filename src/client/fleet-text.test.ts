import { expect, test } from 'vitest';
import type { FleetSummary } from '../contract/fleet.ts';
import { aRemoteSession } from '../testing/remote-session.ts';
import { aSession } from '../testing/session.ts';
import {
  awayText,
  fleetLabel,
  hasHosts,
  hostLabel,
  isFleetTrouble,
  lastKnownText,
  unreachableText,
  whyAway,
} from './fleet-text.ts';

const now = Date.parse('2026-03-04T15:00:00');
const asks = { state: 'waiting', reason: 'permission' } as const;

test('a session of an away host says for how long its host has been silent, and what it did last', () => {
  const away = aRemoteSession(asks, { isAway: true, seenAt: now - 190_000 });
  expect(awayText(away, now)).toBe('away 3 min');
  expect(lastKnownText(away)).toBe('(last: needs approval)');
  expect(awayText(aRemoteSession(asks, { isAway: true, seenAt: 0 }), now)).toBe('away');
});

test('a session of an online host, and one of this machine, show nothing about it', () => {
  for (const session of [aSession(asks), aRemoteSession(asks, { seenAt: now - 190_000 })]) {
    expect(awayText(session, now)).toBe('');
    expect(lastKnownText(session)).toBe('');
  }
  expect([hostLabel(aSession()), hostLabel(aRemoteSession())]).toEqual(['', 'devbox']);
  expect([hasHosts([aSession()]), hasHosts([aSession(), aRemoteSession()])]).toEqual([false, true]);
});

test('the head of a list names the hosts that are away, and counts this machine', () => {
  const host = (name: string, isAway = false) => ({ name, isAway, seenAt: null });
  const fleet = (...hosts: FleetSummary['hosts']) =>
    ({ connection: 'connected', since: 0, problem: null, hosts }) as const;
  expect(fleetLabel(fleet())).toBe('1 host');
  expect(fleetLabel(fleet(host('devbox'), host('nas')))).toBe('3 hosts');
  expect(fleetLabel(fleet(host('devbox', true), host('nas')))).toBe('3 hosts, devbox away');
  expect(fleetLabel(fleet(host('a', true), host('b', true), host('c', true)))).toBe('4 hosts, 3 away');
  expect([fleet(host('nas')), fleet(host('nas', true))].map(isFleetTrouble)).toEqual([false, true]);
});

test('what cannot be done says for how long the host has been away', () => {
  expect(whyAway(aRemoteSession(asks, { isAway: true, seenAt: now - 190_000 }), now)).toBe(
    'devbox is away: no heartbeat for 3 min.',
  );
  expect(whyAway(aRemoteSession(asks), now)).toBeNull();
});

test('an unreachable fleet says since when, and whether its sessions are shown', () => {
  const link = (more: object) => ({ connection: 'unreachable', since: now, problem: null, ...more }) as const;
  const today = new Date();
  today.setHours(14, 2, 0, 0);
  expect(unreachableText(link({ since: today.getTime() }), false)).toBe(
    'Fleet unreachable since 14:02. Sessions of other hosts are not shown.',
  );
  expect(unreachableText(link({}), true)).toBe(
    'Fleet unreachable since 2026-03-04 15:00. Sessions of other hosts are shown as last known.',
  );
  expect(unreachableText(link({ connection: 'refused', problem: 'wrong login' }), true)).toBe(
    'The fleet refuses this host: wrong login',
  );
  expect(unreachableText(link({ connection: 'connected' }), true)).toBeNull();
});
