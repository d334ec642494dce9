import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { collisionNotice } from './collision-notice.ts';
import { collisionsOf, type FileUse, nextEnd } from './collisions.ts';

const minute = 60_000;
const use = (sessionId: string, at: number, more: Partial<FileUse> = {}): FileUse => ({
  path: '/p/a.ts',
  sessionId,
  at: at * minute,
  isAsking: false,
  ...more,
});

test('two sessions that change one file within 30 minutes collide, on both sides', () => {
  const found = collisionsOf([use('one', 1), use('two', 30)], 31 * minute);
  expect(Object.fromEntries(found)).toEqual({
    one: [{ path: '/p/a.ts', sessionId: 'two', at: 30 * minute }],
    two: [{ path: '/p/a.ts', sessionId: 'one', at: 30 * minute }],
  });
});

test('changes that are further apart, old, or of other files do not', () => {
  const found = (uses: FileUse[], now: number) => collisionsOf(uses, now * minute).size;
  expect(found([use('one', 1), use('two', 32)], 32)).toBe(0);
  expect(found([use('one', 1), use('two', 2)], 33)).toBe(0);
  expect(found([use('one', 1), use('two', 1, { path: '/p/b.ts' })], 2)).toBe(0);
  expect(found([use('one', 1), use('one', 2)], 2)).toBe(0);
});

test('an open request collides with a change, however long it waits, but not with another request', () => {
  const asks = { isAsking: true };
  expect([...collisionsOf([use('one', 20), use('two', 1, asks)], 49 * minute).keys()]).toEqual([
    'one',
    'two',
  ]);
  expect(collisionsOf([use('one', 20), use('two', 1, asks)], 51 * minute).size).toBe(0);
  expect(collisionsOf([use('one', 1, asks), use('two', 1, asks)], minute).size).toBe(0);
});

test('of many collisions the newest are listed', () => {
  const many = Array.from({ length: 30 }, (_, n) => [
    use('one', n, { path: `/p/${n}` }),
    use('two', n, { path: `/p/${n}` }),
  ]).flat();
  const list = collisionsOf(many, 29 * minute).get('one') ?? [];
  expect(list).toHaveLength(limits.changes.collisions);
  expect(list[0]?.path).toBe('/p/29');
});

test('returns when the next collision ends', () => {
  expect(nextEnd([use('one', 1), use('two', 5)], 10 * minute)).toBe(31 * minute + 1);
  expect(nextEnd([use('one', 1)], 40 * minute)).toBeNull();
});

test('the notification names both sessions and the file', () => {
  const notice = collisionNotice(
    { path: '/p/src/a.ts', sessionId: 'bbbbbbbb-1', at: 0 },
    { id: 'aaaaaaaa-1', title: 'Pay' },
    { id: 'bbbbbbbb-1', title: null },
  );
  expect(notice.title).toBe('Two sessions change a.ts');
  expect(notice.text).toContain('aaaaaaaa "Pay" and bbbbbbbb: /p/src/a.ts');
});
