import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { bodyOf, isSignedBy, readEnvelope, seal } from './envelope.ts';
import { idOfKey, makeKey, publicKeyOf, secretKeyOf } from './keys.ts';

const stored = makeKey();
const from = idOfKey(stored.public);
const secret = secretKeyOf(stored.secret);
const key = publicKeyOf(stored.public);
if (!key) throw new Error('no key');
const fleet = 'aaaaaaaaaaaaaaaa';

test('the id of a host is 16 base32 characters of the hash of its key', () => {
  expect(from).toMatch(/^[a-z2-7]{16}$/);
  expect(idOfKey(makeKey().public)).not.toBe(from);
});

test('an envelope is read back, and its signature covers fleet, kind, sender and body', async () => {
  const bytes = seal(fleet, 'row', from, secret, { text: 'ü\n{' });
  const envelope = readEnvelope(bytes);
  expect(envelope).toMatchObject({ kind: 'row', from });
  if (!envelope) return;
  expect(await isSignedBy(fleet, envelope, key)).toBe(true);
  expect(bodyOf(z.object({ text: z.string() }), envelope)).toEqual({ text: 'ü\n{' });
  expect(bodyOf(z.object({ text: z.number() }), envelope)).toBeNull();
  expect(await isSignedBy('bbbbbbbbbbbbbbbb', envelope, key)).toBe(false);
  expect(await isSignedBy(fleet, { ...envelope, kind: 'do' }, key)).toBe(false);
  expect(await isSignedBy(fleet, { ...envelope, from: 'bbbbbbbbbbbbbbbb' }, key)).toBe(false);
  expect(await isSignedBy(fleet, { ...envelope, text: '{}' }, key)).toBe(false);
  const other = publicKeyOf(makeKey().public);
  expect(other && (await isSignedBy(fleet, envelope, other))).toBe(false);
});

test('reading never throws, whatever arrives, and any changed byte invalidates the signature', async () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), bytes => readEnvelope(bytes) === null));
  const bytes = seal(fleet, 'do', from, secret, { to: 'x', n: 1 });
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ by;
      const envelope = readEnvelope(changed);
      return (
        envelope === null ||
        !(await isSignedBy(fleet, envelope, key)) ||
        envelope.text === readEnvelope(bytes)?.text
      );
    }),
    { numRuns: 300 },
  );
});
