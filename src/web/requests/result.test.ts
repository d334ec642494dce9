import { expect, test } from 'vitest';
import { resultOf } from './result.ts';

test.each([
  ['permission', { effect: 'allow', choice: 'allow' }, 'hook', 'Allowed.'],
  [
    'permission',
    { effect: 'allow', choice: 'allow_always', rule: 'Bash(touch:*)' },
    'hook',
    'Allowed. Claude Code will not ask again.',
  ],
  ['permission', { effect: 'deny', choice: 'deny' }, 'screen', 'Denied in its terminal.'],
  ['plan', { effect: 'allow', choice: 'plan:acceptEdits' }, 'screen', 'Approved in its terminal.'],
  ['plan', { effect: 'deny', choice: 'keep_planning' }, 'hook', 'Sent back to planning.'],
  ['question', { effect: 'answer', choice: 'answer' }, 'hook', 'Answered.'],
  ['elicitation', { effect: 'deny', choice: 'decline' }, 'screen', 'Declined in its terminal.'],
  ['dialog', { effect: 'allow', choice: 'startup:1' }, 'screen', 'Answered in its terminal.'],
] as const)('the answer to a %s with %o by %s: %s', (kind, choice, way, text) => {
  expect(resultOf(kind, choice, way)).toBe(text);
});
