import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelOf } from './label.ts';

test('a hostile name stays readable and cannot run a command or set a colour', () => {
  expect(labelOf('#(touch x)#[bg=red]')).toBe('(touch x)[bg=red]');
  expect(labelOf('ünï 日本_1.0')).toBe('ünï 日本_1.0');
  expect(labelOf('a\x1b[31m\n%H')).toBe('a[31mH');
});

test('no label contains a format, a style or a control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(labelOf(text)).not.toMatch(/[#%$`"'\\;{}\x00-\x1f\x7f-\x9f]/);
    }),
  );
});
