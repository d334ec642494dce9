import { expect, test } from 'vitest';
import { hostOf, isAllowedVersion, isCurrent, isLoopback } from './broker-version.ts';

test.each([
  ['2.9.10', false],
  ['2.10.29', false],
  ['2.11.15', false],
  ['2.11.16', true],
  ['2.12.6', false],
  ['2.12.7', true],
  ['2.13.9', false],
  ['2.14.0', true],
  ['2.15.1-rc.1', true],
  ['3.0.0', true],
  ['0', false],
])('nats-server %s is current: %s', (version, expected) => {
  expect(isCurrent(version)).toBe(expected);
});

test('an old broker is allowed over loopback, where tunnels end too, and refused elsewhere', () => {
  for (const server of [
    '127.0.0.1:4222',
    'localhost:4222',
    '[::1]:4222',
    'nats://127.1.2.3:4222',
    'tls://me:pw@127.0.0.1:1',
  ])
    expect([server, isAllowedVersion('2.9.10', server)]).toEqual([server, true]);
  for (const server of [
    '10.0.0.7:4222',
    'broker.example:4222',
    '[2001:db8::1]:4222',
    '127.0.0.1.example:4222',
  ])
    expect([server, isAllowedVersion('2.9.10', server)]).toEqual([server, false]);
  expect(isAllowedVersion('2.12.7', '10.0.0.7:4222')).toBe(true);
});

test('the host of an address is found with and without user, port and brackets', () => {
  expect(hostOf('tls://user:pa:ss@broker.example:4222')).toBe('broker.example');
  expect(hostOf('[::1]:4222')).toBe('::1');
  expect(isLoopback('127.evil.example')).toBe(false);
});
