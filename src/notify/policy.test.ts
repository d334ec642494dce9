import { expect, test } from 'vitest';
import { NotifyConfig } from '../contract/notice.ts';
import { policyOf } from './policy.ts';

test('settings of earlier versions keep their meaning', () => {
  const earlier = NotifyConfig.parse({ after: 120, cooldown: 600, desktop: true });
  expect(policyOf(earlier)).toEqual({
    blockedAfter: 120_000,
    finishedAfter: 120_000,
    deniedAfter: 120_000,
    oncePerWait: true,
    cooldown: 600_000,
    sessionCooldown: 0,
    quietHours: null,
  });
  expect(policyOf(NotifyConfig.parse({ after: 120 })).cooldown).toBe(300_000);
});

test('without `after` the defaults are 30 s, 10 min and a cooldown of 5 min for each session', () => {
  expect(policyOf(NotifyConfig.parse({ bell: true }))).toEqual({
    blockedAfter: 30_000,
    finishedAfter: 600_000,
    deniedAfter: 600_000,
    oncePerWait: false,
    cooldown: 0,
    sessionCooldown: 300_000,
    quietHours: null,
  });
});

test('a text that is not a time is refused', () => {
  const parse = (from: string) => NotifyConfig.safeParse({ quietHours: { from, to: '07:00' } }).success;
  expect([parse('22:00'), parse('24:00'), parse('7:00'), parse('ten')]).toEqual([true, false, false, false]);
});
