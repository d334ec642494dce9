import { expect, test } from 'vitest';
import { ttyPath } from './tty-path.ts';

test('a terminal has its path, from the number of its device', () => {
  expect(ttyPath(34816)).toBe('/dev/pts/0');
  expect(ttyPath(34819)).toBe('/dev/pts/3');
  expect(ttyPath((137 << 8) | 4)).toBe('/dev/pts/260');
  expect(ttyPath(1025)).toBe('/dev/tty1');
  expect(ttyPath(0)).toBeNull();
});
