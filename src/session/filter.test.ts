import { expect, test } from 'vitest';
import { aSession } from '../testing/session.ts';
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
