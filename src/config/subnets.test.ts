import { expect, test } from 'vitest';
import { isSubnet, isWithinSubnets } from './subnets.ts';

test('addresses and subnets', () => {
  for (const text of ['172.17.0.1', '172.17.0.0/16', '0.0.0.0/0', 'fd00::1', 'fd00::/8'])
    expect([text, isSubnet(text)]).toEqual([text, true]);
  for (const text of ['', 'localhost', '172.17.0.1/33', '172.17.0.1/', 'fd00::/129', '1.2.3.4/8/8', '1.2.3'])
    expect([text, isSubnet(text)]).toEqual([text, false]);
});

test.each<[string, string[], boolean]>([
  ['172.17.0.1', ['172.17.0.0/16'], true],
  ['::ffff:172.17.0.1', ['172.17.0.0/16'], true],
  ['172.18.0.1', ['172.17.0.0/16', '10.0.0.1'], false],
  ['10.0.0.1', ['172.17.0.0/16', '10.0.0.1'], true],
  ['fd00::9', ['fd00::/8'], true],
  ['fd00::9', ['0.0.0.0/0'], false],
  ['172.17.0.1.evil', ['172.17.0.0/16'], false],
  ['172.17.0.1', ['nonsense'], false],
  ['172.17.0.1', [], false],
])('%s within %j: %s', (address, subnets, wanted) => {
  expect(isWithinSubnets(address, subnets)).toBe(wanted);
});
