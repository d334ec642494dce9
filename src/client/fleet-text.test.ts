import { expect, test } from 'vitest';
import { aRemoteSession } from '../testing/remote-session.ts';
import { aSession } from '../testing/session.ts';
import { awayText, hasHosts, hostLabel, lastKnownText, unreachableText } from './fleet-text.ts';

const now = Date.parse('2026-03-04T15:00:00');
const asks = { state: 'waiting', reason: 'permission' } as const;

test('a session of an away host says for how long its host has been silent, and what it did last', () => {
  const away = aRemoteSession(asks, { isAway: true, seenAt: now - 190_000 });
  expect(awayText(away, now)).toBe('away 3 min');
  expect(lastKnownText(away)).toBe('last: needs approval');
  expect(awayText(aRemoteSession(asks, { isAway: true, seenAt: 0 }), now)).toBe('away');
});

test('a session of a present host, and one of this machine, say nothing of it', () => {
  for (const session of [aSession(asks), aRemoteSession(asks, { seenAt: now - 190_000 })]) {
    expect(awayText(session, now)).toBe('');
    expect(lastKnownText(session)).toBe('');
  }
  expect([hostLabel(aSession()), hostLabel(aRemoteSession())]).toEqual(['', 'devbox']);
  expect([hasHosts([aSession()]), hasHosts([aSession(), aRemoteSession()])]).toEqual([false, true]);
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
