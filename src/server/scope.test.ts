import { expect, test } from 'vitest';
import { isLocalOnly } from './scope.ts';

const asked = (query: string) => () => isLocalOnly(new URLSearchParams(query));

test('without a scope everyone is meant, with `local` this machine', () => {
  expect([asked('')(), asked('scope=local')()]).toEqual([false, true]);
});

test.each(['scope=', 'scope=locl', 'scope=LOCAL'])('%j is an error, not everyone', query => {
  expect(asked(query)).toThrow('There is no scope');
});
