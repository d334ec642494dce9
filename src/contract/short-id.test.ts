import { expect, test } from 'vitest';
import { shortId, startsWithId } from './short-id.ts';

test.each([
  ['4dd74d42-8a5f-4c7b-9f1e-0a1b2c3d4e5f', '4dd74d42'],
  ['startup-11375-68002', '11375-68'],
])('what is shown of %s is accepted by commands', (id, shown) => {
  expect(shortId(id)).toBe(shown);
  expect(startsWithId(id, shown)).toBe(true);
});

test('a prefix counts with and without dashes, and in capitals', () => {
  expect(startsWithId('4dd74d42-8a5f-4c7b-9f1e-0a1b2c3d4e5f', '4DD74D428A')).toBe(true);
  expect(startsWithId('startup-11375-68002', 'startup-11375')).toBe(true);
  expect(startsWithId('startup-11375-68002', '11375-69')).toBe(false);
});
