import { expect, test } from 'vitest';
import { withoutPasteMarks } from './paste-marks.ts';

test('a prompt is read without the marks around what was pasted', () => {
  const pasted = '\n\n<pasted_content id="7f6c">\nfirst\n\nlast\n</pasted_content id="7f6c">\n';
  expect(withoutPasteMarks(pasted)).toBe('first\n\nlast');
  expect(withoutPasteMarks(`see:${pasted}and then`)).toBe('see:\n\nfirst\n\nlast\nand then');
  expect(withoutPasteMarks(' typed <b> \n')).toBe(' typed <b> \n');
});

test('many openings without an end take no time', () => {
  const hostile = '<pasted_content id="'.repeat(200_000);
  expect(withoutPasteMarks(hostile)).toBe(hostile);
});
