import { expect, test } from 'vitest';
import { digitsOf, match } from './match.ts';

const ids = ['23e30f82-aaaa-4000-8000-000000000001', '23e30f82-bbbb-4000-8000-000000000002'];

test('exact, unique, ambiguous and none are different answers', () => {
  expect(match(digitsOf(' 23E30F82AAAA '), ids)).toEqual({ kind: 'one', id: ids[0] });
  expect(match(digitsOf('23e30f82-b'), ids)).toEqual({ kind: 'one', id: ids[1] });
  expect(match(digitsOf('23e30f'), ids)).toEqual({ kind: 'several', ids });
  expect(match(digitsOf('23e30f83'), ids)).toEqual({ kind: 'none' });
  expect(match(digitsOf(ids[0] as string), [...ids, ids[0] as string])).toEqual({ kind: 'one', id: ids[0] });
  // The same session in two places is one.
  expect(match('23e30f82aaaa', [ids[0], ids[0]] as string[])).toEqual({ kind: 'one', id: ids[0] });
});

test.each(['23e30', '23e30-', 'xyzxyz', '', `${ids[0]}0`, '../../etc'])('%j is no id', given => {
  expect(() => digitsOf(given)).toThrow('is not a session id');
});
