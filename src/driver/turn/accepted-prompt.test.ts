import { expect, test } from 'vitest';
import { isSamePrompt } from './accepted-prompt.ts';

const marked = (text: string) => `\n\n<pasted_content id="7f6c">\n${text} \n</pasted_content id="7f6c">\n`;

test('a prompt is the text that was sent, as 2.1.328 marks it too', () => {
  const text = `SAY ${'x'.repeat(2_000)}\n\tlast`;
  expect(isSamePrompt(text.replace('\t', '  '), text)).toBe(true);
  expect(isSamePrompt(marked(text), text)).toBe(true);
  expect(isSamePrompt(marked(text), `${text} more`)).toBe(false);
  expect(isSamePrompt(undefined, text)).toBe(false);
});

test('a text that has such marks itself is recognised', () => {
  const text = marked('quoted');
  expect(isSamePrompt(text, text)).toBe(true);
  expect(isSamePrompt(marked(text), text)).toBe(true);
});
