import { expect, test } from 'vitest';
import { nearestVerb } from './nearest-verb.ts';
import { verbs } from './table/verbs.ts';

test.each([
  ['list', 'ls'],
  ['LIST', 'ls'],
  ['kill', 'stop'],
  ['anwser', 'answer'],
  ['stauts', 'status'],
  ['sesions', 'sessions'],
  ['dismis', 'dismiss'],
  ['exp', 'explain'],
  ['skipp', 'skip'],
  ['frobnicate', null],
  ['x', null],
])('%s: %s', (given, verb) => {
  expect(
    nearestVerb(
      given,
      verbs.map(({ name }) => name),
    ),
  ).toBe(verb);
});
