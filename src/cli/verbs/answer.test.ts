import { expect, test } from 'vitest';
import type { Question } from '../../contract/session.ts';
import { answersOf } from './answer.ts';

const option = (label: string) => ({ label, description: null });
const size: Question = {
  question: 'Which size?',
  header: 'Size',
  multiSelect: false,
  options: [option('Small'), option('Large')],
};
const extras: Question = {
  question: 'Which extras?',
  header: null,
  multiSelect: true,
  options: [option('Nuts'), option('Milk')],
};

test.each<[string[], object]>([
  [['Large', 'Nuts'], { 'Which size?': 'Large', 'Which extras?': ['Nuts'] }],
  [['1', '1,2'], { 'Which size?': 'Small', 'Which extras?': ['Nuts', 'Milk'] }],
  [['large', 'milk, nuts'], { 'Which size?': 'Large', 'Which extras?': ['Milk', 'Nuts'] }],
  [['a, b', 'none at all'], { 'Which size?': 'a, b', 'Which extras?': ['none at all'] }],
])('%j', (words, answers) => {
  expect(answersOf(words, [size, extras])).toEqual(answers);
});

test.each([[['Large']], [['Large', 'Nuts', 'Milk']], [['3', 'Nuts']], [['Large', '0']]])(
  'refused: %j',
  words => {
    expect(() => answersOf(words, [size, extras])).toThrow(/drover answer: /);
  },
);
