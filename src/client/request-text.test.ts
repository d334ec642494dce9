import { expect, test } from 'vitest';
import { answeredText } from './request-text.ts';

test.each([
  ['allow', 'allow', 'Bash', 'Bash: git push', 'allowed Bash: git push'],
  ['deny', 'deny', 'Bash', 'Bash: git push', 'denied Bash: git push'],
  ['allow', 'answer', 'AskUserQuestion', 'Which size?', 'answered Which size?'],
  ['deny', 'deny', 'AskUserQuestion', 'Which size?', 'declined to answer Which size?'],
  ['allow', 'plan:default', 'ExitPlanMode', '# The plan', 'approved the plan: # The plan'],
  ['deny', 'keep_planning', 'ExitPlanMode', '# The plan', 'kept planning: # The plan'],
  ['allow', 'accept', null, 'Which colour?', 'accepted Which colour?'],
  ['deny', 'decline', null, 'Which colour?', 'declined Which colour?'],
  ['deny', 'cancel', null, 'Which colour?', 'cancelled Which colour?'],
  ['allow', 'startup:2', null, 'trust this folder?', 'answered trust this folder?'],
] as const)('%s by %s to %s', (behavior, choice, tool, line, text) => {
  expect(answeredText({ behavior, choice, tool, line })).toBe(text);
});
