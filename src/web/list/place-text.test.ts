import { expect, test } from 'vitest';
import { memoryText, placeText } from './place-text.ts';

test.each([
  [{ title: 'shop', project: 'shop', branch: 'main', worktree: false }, 'main'],
  [
    { title: 'Mend the cart', project: 'shop', branch: 'fix/cart', worktree: true },
    'shop, fix/cart (worktree)',
  ],
  [{ title: 'Mend the cart', project: 'shop', branch: null, worktree: false }, 'shop'],
  [{ title: 'shop', project: 'shop', branch: null, worktree: false }, ''],
])('%o works in %j', (session, text) => {
  expect(placeText(session)).toBe(text);
});

test('memory is rounded', () => {
  expect([memoryText(412_300_000), memoryText(1_349_000_000)]).toEqual(['412 MB', '1.3 GB']);
});
