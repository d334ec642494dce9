import { expect, test } from 'vitest';
import { answerIn } from './answer-text.ts';

test.each([
  ['', { decision: null }],
  ['\n \n', { decision: null }],
  ['{}', { decision: null }],
  ['{"decision": null}', { decision: null }],
  ['{"decision":"block","reason":"go on"}', { decision: 'block', reason: 'go on' }],
  ['{\n  "decision": "block",\n  "reason": "two\\nlines"\n}\n', { decision: 'block', reason: 'two\nlines' }],
  ['thinking …\n{"decision":"deny","message":"no"}\n', { decision: 'deny', reason: 'no' }],
  ['{"decision":"block"}', { decision: 'block', reason: null }],
  ['{"decision":"approve"}', { decision: 'allow' }],
  ['{"decision":"allow"}', { decision: 'allow' }],
])('%j', (text, answer) => {
  expect(answerIn(text)).toEqual(answer);
});

test('any other reply decides nothing', () => {
  for (const text of ['I would go on.', '{"decision":"blok"}', '[1]', '"block"', '{"decision":', '42'])
    expect(answerIn(text)).toMatchObject({ decision: 'garbage' });
});
