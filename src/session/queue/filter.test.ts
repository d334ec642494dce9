import { expect, test } from 'vitest';
import { aRemoteSession } from '../../testing/remote-session.ts';
import { aSession } from '../../testing/session.ts';
import { passesFilter } from './filter.ts';

const session = aSession({
  title: 'Payments work',
  project: 'shop',
  branch: 'feature/pay',
  tags: ['urgent', 'Client-A'],
  state: 'waiting',
  reason: 'permission',
});

test.each([
  ['', true],
  ['pay shop', true],
  ['pay desk', false],
  ['tag:urg', true],
  ['tag:client-a', true],
  ['tag:low', false],
  ['tag:low,urgent', true],
  ['branch:pay state:waiting', true],
  ['state:permission', true],
  ['state:working,permission', true],
  ['state:working', false],
  ['project:shop tag:', true],
  ['STATE:Wait', true],
  ['http://shop', false],
])('%s', (filter, passes) => {
  expect(passesFilter(session, filter)).toBe(passes);
});

test('a parked session is parked, not ended', () => {
  const parked = aSession({ state: 'ended', reason: 'exit', parked: true });
  expect(passesFilter(parked, 'state:parked')).toBe(true);
  expect(passesFilter(parked, 'state:ended')).toBe(false);
});

test('host: names other hosts by their beginning, and this machine as local', () => {
  const remote = aRemoteSession({ project: 'shop' });
  const passing = (filter: string) => [session, remote].map(one => passesFilter(one, filter));
  expect(passing('host:devbox')).toEqual([false, true]);
  expect(passing('host:dev shop')).toEqual([false, true]);
  expect(passing('host:local')).toEqual([true, false]);
  expect(passing('host:local,devbox')).toEqual([true, true]);
  expect(passing('host:other')).toEqual([false, false]);
  expect(passing('devbox')).toEqual([false, true]);
  const twelve = aRemoteSession({}, { name: 'box12' });
  expect(['host:box1', 'host:box', 'host:box12'].map(filter => passesFilter(twelve, filter))).toEqual([
    false,
    true,
    true,
  ]);
});

test('state:away finds the sessions whose host sends no heartbeat', () => {
  expect(passesFilter(aRemoteSession({}, { isAway: true }), 'state:away')).toBe(true);
  expect(passesFilter(aRemoteSession(), 'state:away')).toBe(false);
});
