import { expect, test } from 'vitest';
import { slugOf } from './slug.ts';

test('every character except ASCII letters and digits becomes a dash', () => {
  expect(slugOf('/home/dev/.x_y')).toBe('-home-dev--x-y');
  expect(slugOf('/ünï.cøde')).toBe('--n--c-de');
  expect(slugOf('/日本')).toBe('---');
  expect(slugOf('/u\u0308')).toBe('--');
  expect(slugOf('/$!@#%^&*()--helloworld!+5_4<>x?.foo')).toBe('-------------helloworld--5-4--x--foo');
});

test('a long path is truncated to 200 characters and gets the hash of Claude Code 2.1.197 and 2.1.325', () => {
  const below = `home/l/${'x'.repeat(100)}/${'y.z '.repeat(30).trim()}`;
  expect(slugOf(`/tmp/dv-crXK4k/${below}`)).toMatch(/^-tmp-dv-crXK4k-home-l-x{100}-.{77}-98kp6w$/);
  expect(slugOf(`/tmp/dv-aSKyl1/${below}`)).toMatch(/-brmsqs$/);
});
