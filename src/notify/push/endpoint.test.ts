import { expect, test } from 'vitest';
import { checkEndpoint, isPrivate, publicLookup } from './endpoint.ts';

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['100.100.100.100', true],
  ['169.254.169.254', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['142.250.1.95', false],
  ['::1', true],
  ['::', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:142.250.1.95', false],
  ['64:ff9b::a00:1', true],
  ['64:ff9b::8efa:15f', false],
  ['64:ff9b:1::a00:1', true],
  ['fe80::1', true],
  ['fd12:3456::1', true],
  ['2a00:1450:4001::5f', false],
  ['fcm.googleapis.com', false],
])('%s is a private address: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', ['fcm.googleapis.com'], null],
  ['https://wns2-am3p.notify.windows.com/w', ['notify.windows.com'], null],
  ['https://fcm.googleapis.com/fcm/send/x', ['push.apple.com'], 'does not name fcm.googleapis.com'],
  ['https://evilnotify.windows.com/', ['notify.windows.com'], 'does not name evilnotify.windows.com'],
  ['http://fcm.googleapis.com/x', ['fcm.googleapis.com'], 'not a plain https address'],
  ['https://fcm.googleapis.com:8443/x', ['fcm.googleapis.com'], 'not a plain https address'],
  ['https://a:b@fcm.googleapis.com/x', ['fcm.googleapis.com'], 'not a plain https address'],
  ['https://127.0.0.1/x', ['127.0.0.1'], 'is a private address'],
  // The parser of addresses knows other ways to write one.
  ['https://0x7f.1/x', ['127.0.0.1'], 'is a private address'],
])('%s with the services %j: %s', (endpoint, services, problem) => {
  const check = () => checkEndpoint(endpoint, services, false);
  if (problem === null) expect(check().href).toBe(endpoint);
  else expect(check).toThrow(problem);
});

test('the test flag permits http and loopback, at a named service only', () => {
  expect(checkEndpoint('http://127.0.0.1:8080/x', ['127.0.0.1'], true).port).toBe('8080');
  expect(() => checkEndpoint('http://127.0.0.1:8080/x', ['push.example'], true)).toThrow('does not name');
});

test('a name that resolves to a private address is not connected to', async () => {
  const error = await new Promise(done => publicLookup('localhost', {}, done));
  expect(String(error)).toMatch(/localhost has the private address (?:127\.0\.0\.1|::1)/);
});
