import { expect, test } from 'vitest';
import type { Answer } from '../../contract/answer.ts';
import { type RequestDetails, decisionFor, hookOutput } from './decision.ts';

const bash: RequestDetails = {
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'npm publish' },
  suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
};
const plan: RequestDetails = { kind: 'plan', tool: 'ExitPlanMode', input: { plan: '# It' }, suggestions: [] };
const questions = [
  { question: 'Which size?', header: 'Size', multiSelect: false, options: [{ label: 'Large' }] },
  { question: 'Which extras?', header: 'Extras', multiSelect: true, options: [{ label: 'Nuts' }] },
];
const asked: RequestDetails = {
  kind: 'question',
  tool: 'AskUserQuestion',
  input: { questions },
  suggestions: [],
};

test.each<[string, RequestDetails, Answer, object]>([
  ['allow', bash, { behavior: 'allow' }, { behavior: 'allow' }],
  ['deny', bash, { behavior: 'deny' }, { behavior: 'deny' }],
  [
    'a changed tool',
    bash,
    { behavior: 'allow', updated_input: { command: 'npm pack' } },
    { behavior: 'allow', updatedInput: { command: 'npm pack' } },
  ],
  [
    'what the dialog would remember',
    bash,
    { behavior: 'allow', remember: true },
    { behavior: 'allow', updatedPermissions: bash.suggestions },
  ],
  [
    'deny with words that ends the turn',
    bash,
    { behavior: 'deny', message: 'no', interrupt: true },
    { behavior: 'deny', message: 'no', interrupt: true },
  ],
  [
    'a plan goes with its input',
    plan,
    { behavior: 'allow' },
    { behavior: 'allow', updatedInput: plan.input },
  ],
  [
    'a plan sent back',
    plan,
    { behavior: 'deny', message: 'shorter' },
    { behavior: 'deny', message: 'shorter' },
  ],
  ['a question declined', asked, { behavior: 'deny' }, { behavior: 'deny' }],
  [
    'labels by text and by header, several joined, words of one’s own',
    asked,
    { answers: { 'Which size?': 'as a barn', Extras: ['Nuts', 'Milk'] } },
    {
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which size?': 'as a barn', 'Which extras?': 'Nuts, Milk' } },
    },
  ],
  [
    'several labels joined already',
    asked,
    { behavior: 'allow', answers: { Size: ['Large'], Extras: 'Nuts, Milk' } },
    {
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which size?': 'Large', 'Which extras?': 'Nuts, Milk' } },
    },
  ],
])('%s', (_, request, answer, decision) => {
  expect(decisionFor(request, answer)).toEqual(decision);
  expect(JSON.parse(hookOutput(decisionFor(request, answer)))).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  });
});

test.each<[string, RequestDetails, Answer]>([
  ['`behavior` is missing', bash, {}],
  ['It is not a question: it asks to use Bash', bash, { answers: { Size: 'Large' } }],
  ['It is not a question: it asks to use ExitPlanMode', plan, { answers: { Size: 'Large' } }],
  ['need `"behavior": "deny"`', bash, { behavior: 'allow', message: 'go' }],
  ['need `"behavior": "deny"`', asked, { answers: { Size: 'Large' }, interrupt: true }],
  ['cannot be combined with `"behavior": "deny"`', bash, { behavior: 'deny', remember: true }],
  ['cannot be combined with `"behavior": "deny"`', asked, { behavior: 'deny', answers: { Size: 'Large' } }],
  ['nothing to remember', plan, { behavior: 'allow', remember: true }],
  ['There is no question "Colour"', asked, { answers: { Colour: 'red' } }],
  ['No answer to "Which extras?"', asked, { answers: { Size: 'Large' } }],
  ['No answer to "Which size?" and "Which extras?"', asked, { behavior: 'allow' }],
  ['"Which size?" takes one answer', asked, { answers: { Size: ['Small', 'Large'], Extras: 'Nuts' } }],
  ['"Which size?" is answered twice', asked, { answers: { Size: 'Large', 'Which size?': 'Small' } }],
  ['answer to "Which extras?" is empty', asked, { answers: { Size: 'Large', Extras: [' '] } }],
  ['cannot be combined with a question', asked, { behavior: 'allow', updated_input: {} }],
])('refused: %s', (words, request, answer) => {
  expect(() => decisionFor(request, answer)).toThrow(words);
});
