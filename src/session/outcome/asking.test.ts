/** The rule for *asks you*, on messages that were written for these tests. `npm run asks` measures it on real ones. */
import { expect, test } from 'vitest';
import { askingOf } from './asking.ts';

const partOf = (message: string) => askingOf(message).part;
const sentenceOf = (message: string) => askingOf(message).sentence;

test('a message that ends with a question asks it', () => {
  expect(askingOf('The port is taken by another program.\n\nShall I use 4001 instead?')).toEqual({
    part: 'question',
    sentence: 'Shall I use 4001 instead?',
  });
  expect(sentenceOf('Done so far. Do you want the tests too? 🚀')).toBe('Do you want the tests too?');
  expect(sentenceOf('**Which of the two should I keep?**')).toBe('Which of the two should I keep?');
  expect(sentenceOf('Two ways are open.\n\n- Is the old table still used?')).toBe(
    'Is the old table still used?',
  );
});

test('a question above options asks, also without a question mark of its own', () => {
  expect(
    askingOf('Which approach do you prefer?\n\n1. **Small** - one file\n2. **Large** - a folder'),
  ).toEqual({
    part: 'options',
    sentence: 'Which approach do you prefer?',
  });
  expect(sentenceOf('Would you like me to:\n- rename it\n- leave it')).toBe('Would you like me to:');
  expect(sentenceOf('What would you like to change?\n\n1. The name\n2. Something else?')).toBe(
    'What would you like to change?',
  );
});

test('a question to you may be followed by a reason, code or sources', () => {
  expect(askingOf('Should I remove it? Nothing imports it any more.')).toMatchObject({
    part: 'question-above',
  });
  expect(sentenceOf('Do you want this config?\n\n```yaml\nport: 1 # really?\n```')).toBe(
    'Do you want this config?',
  );
  expect(sentenceOf('Should I pin it?\n\nSources:\n- [Docs](https://example.org/a?b=c)')).toBe(
    'Should I pin it?',
  );
});

test('a request without a question mark asks', () => {
  expect(partOf('Both work. Let me know which one you prefer.')).toBe('request');
  expect(partOf('The migration drops a column. Please confirm before I run it.')).toBe('request');
  expect(partOf('Everything is staged. Waiting for your approval.')).toBe('request');
});

test('polite closers and offers are done', () => {
  expect(partOf('All tests pass. Let me know if you need anything else.')).toBe('statement');
  expect(partOf('All tests pass. Is there anything else I can help with?')).toBe('closer');
  expect(partOf('Pushed. Any other questions?')).toBe('closer');
  expect(partOf('Fixed. If you prefer the old name, say the word and I will change it back.')).toBe(
    'statement',
  );
  expect(partOf('Alles erledigt. Kann ich sonst noch etwas tun?')).toBe('closer');
});

test('a question that nobody has to answer is done', () => {
  expect(partOf('Why did it fail? The cache was stale. I cleared it, and the build passes.')).toBe(
    'statement',
  );
  expect(partOf('**What changed?**\n- the parser\n- its tests')).toBe('statement');
  expect(partOf('| Function | Used? |\n|---|---|\n| a | no |')).toBe('statement');
  expect(partOf('The dialog now says "Do you want to proceed?"')).toBe('statement');
  expect(partOf('The regex is now `^https?`')).toBe('statement');
  expect(partOf('> Should I?\n\nI quoted the ticket and closed it.')).toBe('statement');
  expect(partOf('```\nreally?\n```')).toBe('statement');
  expect(partOf('See https://example.org/?q=you')).toBe('statement');
  expect(partOf('')).toBe('statement');
});

test('a question far from the end is done', () => {
  expect(partOf(`Should I keep it? I decided so.\n\n${'The rest is described here. '.repeat(30)}`)).toBe(
    'statement',
  );
});

test('other languages ask too', () => {
  expect(partOf('テストは通りました。コミットしてよろしいですか？')).toBe('question');
  expect(partOf('修正しました。この方針で進めますか。')).toBe('question');
  expect(partOf('Ich habe zwei Wege gefunden. Soll ich den ersten nehmen?')).toBe('question');
  expect(partOf('J’ai terminé. Voulez-vous que je lance les tests ?')).toBe('question');
  expect(partOf('He terminado. ¿Quieres que haga el commit?')).toBe('question');
  expect(partOf('已经完成。要不要提交？')).toBe('question');
});

test('code and links in the sentence are shown as they were written', () => {
  expect(sentenceOf('Should I delete `old.test.ts?` now?')).toBe('Should I delete `old.test.ts?` now?');
  expect(sentenceOf('Do you mean https://example.org/a.html?')).toBe(
    'Do you mean https://example.org/a.html?',
  );
});

test('an enormous message takes no time', () => {
  const from = performance.now();
  askingOf(`${'word? '.repeat(200_000)}\n${'- [x](y) `'.repeat(50_000)}\n${'"'.repeat(50_000)}`);
  askingOf('`'.repeat(200_000));
  askingOf(`${'* '.repeat(100_000)}x`);
  askingOf('```\n'.repeat(50_000));
  expect(performance.now() - from).toBeLessThan(2_000);
});
