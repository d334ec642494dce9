import { expect, test } from 'vitest';
import { normalizeId, matchId } from './match-id.ts';

const ids = ['23e30f82-aaaa-4000-8000-000000000001', '23e30f82-bbbb-4000-8000-000000000002'];

test('distinguishes exact, unique, ambiguous and no match', () => {
  expect(matchId(normalizeId(' 23E30F82AAAA '), ids)).toEqual({ kind: 'one', id: ids[0] });
  expect(matchId(normalizeId('23e30f82-b'), ids)).toEqual({ kind: 'one', id: ids[1] });
  expect(matchId(normalizeId('23e30f'), ids)).toEqual({ kind: 'several', ids });
  expect(matchId(normalizeId('23e30f83'), ids)).toEqual({ kind: 'none' });
  expect(matchId(normalizeId(ids[0] as string), [...ids, ids[0] as string])).toEqual({
    kind: 'one',
    id: ids[0],
  });
  // The same session found twice counts once.
  expect(matchId('23e30f82aaaa', [ids[0], ids[0]] as string[])).toEqual({ kind: 'one', id: ids[0] });
});

test.each(['23e30', '23e30-', 'xyzxyz', '', `${ids[0]}0`, '../../etc'])('%j is not an id', given => {
  expect(() => normalizeId(given)).toThrow('is not a session id');
});
