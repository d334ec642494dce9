import { expect, test } from 'vitest';
import { hostIn, withHost } from './host-in-filter.ts';

test.each([
  ['', ''],
  ['shop', ''],
  ['shop host:devbox', 'devbox'],
  ['host:a,b tag:x', 'a,b'],
  ['ghost:x', ''],
])('%j names the host %j', (filter, host) => {
  expect(hostIn(filter)).toBe(host);
});

test.each([
  ['', 'devbox', 'host:devbox'],
  ['shop', 'devbox', 'shop host:devbox'],
  ['host:nas shop', 'devbox', 'shop host:devbox'],
  ['shop host:nas tag:x', '', 'shop tag:x'],
  ['host:nas', '', ''],
])('%j with the host %j is %j', (filter, host, expected) => {
  expect(withHost(filter, host)).toBe(expected);
});
