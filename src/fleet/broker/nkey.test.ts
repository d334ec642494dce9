import { nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { makeLogin } from './nkey.ts';

test('a login is a key as the client of the broker reads it', () => {
  const { public: open, seed } = makeLogin();
  const pair = nkeys.fromSeed(new TextEncoder().encode(seed));
  expect(pair.getPublicKey()).toBe(open);
  expect(open).toMatch(/^U[A-Z2-7]{55}$/);
  const nonce = new TextEncoder().encode('nonce');
  expect(pair.verify(nonce, pair.sign(nonce))).toBe(true);
  expect(makeLogin().seed).not.toBe(seed);
});
