import { expect, test } from 'vitest';
import { fillRow, fillText } from './fill-text.ts';

test('paragraphs are filled, and rows of examples stay rows', () => {
  expect(fillText('one two\nthree four\n\n  drover ls\n  drover show', 13)).toBe(
    'one two three\nfour\n\n  drover ls\n  drover show',
  );
});

test('the second column of a list is broken below itself', () => {
  expect(fillText('Actions:\n  ls   list all of them\n  rm   remove one', 45)).toBe(
    'Actions:\n  ls   list all of them\n  rm   remove one',
  );
  expect(fillRow('  --long <value>  ', 'one two three four five six seven', 48)).toBe(
    '  --long <value>  one two three four five six\n                  seven',
  );
});
