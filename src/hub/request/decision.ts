/** Turns the answer of a person or a program into the output of a PermissionRequest hook. Pure. */
import type { Answer } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';

/** What a decision depends on. */
export interface RequestDetails {
  kind: 'permission' | 'question' | 'plan';
  tool: string | null;
  input: Record<string, unknown>;
  /** What the dialog would remember on "and don't ask again". */
  suggestions: unknown[];
}

export type Decision =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: unknown[] }
  | { behavior: 'deny'; message?: string; interrupt?: true };

/** Builds the decision; throws `bad_request` for an answer that does not fit the request. */
export const decisionFor = (asked: RequestDetails, answer: Answer): Decision => {
  if (answer.behavior === 'deny') return deny(answer);
  if (answer.message !== undefined || answer.interrupt)
    throw badRequest('`message` and `interrupt` need `"behavior": "deny"`.');
  return asked.kind === 'question' ? chosen(asked, answer) : allow(asked, answer);
};

/** What the hook prints. */
export const hookOutput = (decision: Decision): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

const deny = ({ message, interrupt, updated_input, remember, answers }: Answer): Decision => {
  if (updated_input || remember || answers)
    throw badRequest(
      '`updated_input`, `remember` and `answers` cannot be combined with `"behavior": "deny"`.',
    );
  return {
    behavior: 'deny',
    ...(message !== undefined && { message }),
    ...(interrupt && { interrupt: true as const }),
  };
};

const allow = ({ kind, tool, input, suggestions }: RequestDetails, answer: Answer): Decision => {
  if (answer.answers)
    throw badRequest(`It is not a question: it asks to use ${tool ?? 'a tool'}.`, 'Send a `behavior`.');
  if (!answer.behavior) throw badRequest('`behavior` is missing.', 'It is "allow" or "deny".');
  if (answer.remember && suggestions.length === 0)
    throw badRequest('The dialog of this request has nothing to remember.', 'Answer without `remember`.');
  // A plan that is allowed without its input stays on the screen of 2.1.325.
  const updatedInput = answer.updated_input ?? (kind === 'plan' ? input : undefined);
  return {
    behavior: 'allow',
    ...(updatedInput && { updatedInput }),
    ...(answer.remember && { updatedPermissions: suggestions }),
  };
};

interface Question {
  question: string;
  header: string | null;
  several: boolean;
}

const chosen = ({ input }: RequestDetails, answer: Answer): Decision => {
  if (answer.updated_input || answer.remember)
    throw badRequest('`updated_input` and `remember` cannot be combined with a question.', 'Send `answers`.');
  const given = labelsByQuestion(input, answer.answers ?? {});
  const inWords = [...given].map(([question, labels]) => [question, joinLabels(labels)] as const);
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(inWords) } };
};

/** The labels given to each question, in order; throws unless every question is answered. */
export const labelsByQuestion = (
  input: Record<string, unknown>,
  answers: NonNullable<Answer['answers']>,
): Map<string, string[]> => {
  const questions = questionsOf(input);
  const given = new Map<string, string[]>();
  for (const [name, value] of Object.entries(answers)) {
    const question =
      questions.find(one => one.question === name) ?? questions.find(one => one.header === name);
    if (!question)
      throw badRequest(`There is no question ${JSON.stringify(name)}.`, questionsHint(questions));
    if (given.has(question.question))
      throw badRequest(`${JSON.stringify(question.question)} is answered twice.`);
    given.set(question.question, labelsOf(question, value));
  }
  const missing = questions.filter(({ question }) => !given.has(question));
  if (missing.length > 0)
    throw badRequest(
      `No answer to ${missing.map(({ question }) => JSON.stringify(question)).join(' and ')}.`,
      'Answer every question, or send `"behavior": "deny"`.',
    );
  return new Map(questions.map(({ question }) => [question, given.get(question) ?? []]));
};

/** Joins several labels as the dialog does. */
export const joinLabels = (labels: string[]): string => labels.join(', ');

const labelsOf = ({ question, several }: Question, value: string | string[]): string[] => {
  const labels = typeof value === 'string' ? [value] : value;
  if (labels.length > 1 && !several) throw badRequest(`${JSON.stringify(question)} takes one answer.`);
  if (labels.some(label => label.trim() === ''))
    throw badRequest(`The answer to ${JSON.stringify(question)} is empty.`);
  return labels;
};

const questionsOf = ({ questions }: Record<string, unknown>): Question[] =>
  (Array.isArray(questions) ? questions : [])
    .filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
    .map(({ question, header, multiSelect }) => ({
      question: typeof question === 'string' ? question : '',
      header: typeof header === 'string' ? header : null,
      several: multiSelect === true,
    }));

const questionsHint = (questions: Question[]): string =>
  `It asks ${questions.map(({ question }) => JSON.stringify(question)).join(' and ')}.`;

const badRequest = (message: string, hint?: string): DroverError =>
  new DroverError('bad_request', message, hint);
