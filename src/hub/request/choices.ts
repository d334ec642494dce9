/** What can be answered to a request, and what a chosen one means for its hook. Pure. */
import type { Answer, Choice } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { RequestDetails } from './decision.ts';
import { ruleText } from './rule-text.ts';

/** The choices that the hook of a request can express. */
export const hookChoices = ({ kind, suggestions }: RequestDetails): Choice[] => {
  if (kind === 'question')
    return [
      { choice: 'answer', label: 'Answer', effect: 'answer' },
      { choice: 'deny', label: 'Decline to answer', effect: 'deny', takesMessage: true },
    ];
  if (kind === 'plan')
    return [
      { choice: 'allow', label: 'Approve the plan', effect: 'allow' },
      { choice: 'keep_planning', label: 'Keep planning', effect: 'deny', takesMessage: true },
    ];
  const rule = ruleText(suggestions);
  return [
    { choice: 'allow', label: 'Allow once', effect: 'allow' },
    ...(suggestions.length > 0
      ? [{ choice: 'allow_always', label: "Allow and don't ask again", effect: 'allow' as const, rule }]
      : []),
    { choice: 'deny', label: 'Deny', effect: 'deny', takesMessage: true },
  ];
};

/** The choice that an answer makes, with or without `choice`. Throws `bad_request` where it makes none. */
export const choiceOf = (kind: string, answer: Answer): string => {
  const { choice, behavior, remember, answers, values } = answer;
  if (choice !== undefined) {
    if (behavior !== undefined || remember !== undefined)
      throw new DroverError('bad_request', '`choice` cannot be combined with `behavior` or `remember`.');
    return choice;
  }
  if (behavior === 'deny')
    return kind === 'plan' ? 'keep_planning' : kind === 'elicitation' ? 'decline' : 'deny';
  if (answers) return 'answer';
  if (values) return 'accept';
  if (behavior === 'allow') return remember ? 'allow_always' : 'allow';
  if (kind === 'question') return 'answer';
  throw new DroverError(
    'bad_request',
    '`behavior` is missing.',
    'Send a `behavior`, "allow" or "deny", or one of the choices of the request.',
  );
};

/** The same answer in the words of the hook: `behavior` and `remember` instead of `choice`. Throws `bad_request` for an unknown one. */
export const toHookAnswer = (asked: RequestDetails, { choice, confirmed, ...answer }: Answer): Answer => {
  void confirmed;
  if (choice === undefined) return answer;
  const known = hookChoices(asked).map(one => one.choice);
  const meaning = known.includes(choice) ? meanings[choice] : undefined;
  if (!meaning)
    throw new DroverError(
      'bad_request',
      `This request has no choice ${JSON.stringify(choice)}.`,
      `It has ${known.join(', ')}.`,
    );
  return { ...answer, ...meaning };
};

const meanings: { [choice: string]: Answer | undefined } = {
  allow: { behavior: 'allow' },
  allow_always: { behavior: 'allow', remember: true },
  deny: { behavior: 'deny' },
  keep_planning: { behavior: 'deny' },
  answer: {},
};
