import { expect, test } from 'vitest';
import { keepColours } from './keep-colours.ts';

test('keeps colours and removes every other control sequence', () => {
  expect(keepColours('\x1b[1;31mred\x1b[0m\n\x1b[38:2:1:2:3mx')).toBe(
    '\x1b[1;31mred\x1b[0m\n\x1b[38:2:1:2:3mx',
  );
  expect(
    keepColours(
      'a\x1b[2Jb\x1b[?25lc\x1b]8;;http://x\x1b\\d\x1b]0;title\x07e\x1b(Bf\x0eg\x07\x9b1mh\x1bc\x1b',
    ),
  ).toBe('abcdefg1mh');
});
