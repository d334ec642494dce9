import { expect, test } from 'vitest';
import { placeText } from './place-text.ts';

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
