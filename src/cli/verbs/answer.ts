/** `drover answer`: lists the choices of a request, or answers it. */
import { call as ask } from '../../client/call.ts';
import { answeredText, requestLines } from '../../client/request-text.ts';
import { clean } from '../../client/text.ts';
import type { Answer, Answered, Choice, RequestPage } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { Question, Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { canAsk, confirmAction } from '../output/question.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const wanted = idOf(call);
  let target: Promise<Target> | undefined;
  // Read once: the answer reaches the request that the question has shown, or none.
  const targetOf = (named: string) => (target ??= readTarget(call, named, wanted));
  // Only a session that was named by its id is answered without a question; its request can be listed either way.
  const canBeMeant = ({ requests }: Session) => requests.length > 0;
  const named = await sessionArg(
    call,
    call.args.length > 1
      ? {
          confirm: `Answer ${call.args.slice(1).join(' ')} to`,
          details: async id => (await targetOf(id)).page?.line ?? null,
          canBeMeant,
        }
      : { canBeMeant },
  );
  const { id, page } = await targetOf(named);
  if (page && call.args.length === 1 && isBare(call)) return list(call, page);
  // Without a request the daemon explains why, and the answer cannot reach a request that opens in between.
  const answer: Answer = page
    ? await confirmChoice(call, { ...answerOf(call, page), id: page.id }, page)
    : wanted === undefined
      ? {}
      : { id: wanted };
  const answered = await ask(call.paths, 'answerSession', { id, body: answer, timeout });
  if (flag(call, 'json')) call.out(JSON.stringify(answered));
  else for (const line of answerLines(answered, answer)) call.out(line);
  return 0;
};

interface Target {
  id: string;
  /** The request to answer; undefined if it is gone, or not known which one. */
  page: RequestPage | undefined;
}

const readTarget = async (call: Call, named: string, wanted: number | undefined): Promise<Target> => {
  const { id, requests } = await ask(call.paths, 'readSession', { id: named });
  const only = requests.length === 1 ? requests[0] : undefined;
  const request = wanted === undefined ? only : requests.find(one => one.id === wanted);
  return { id, page: request && (await ask(call.paths, 'readRequest', { id, request: request.id })) };
};

/** Keys in a terminal take their time: several questions are many keys. */
const timeout = limits.menu.keysTimeout + limits.daemon.answerTimeout;

const isBare = (call: Call): boolean =>
  !['message', 'remember', 'interrupt'].some(name => call.options[name] !== undefined);

/** Lists the request and its choices. */
const list = (call: Call, page: RequestPage): number => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify(page));
    return 0;
  }
  call.out(`${page.id}  ${clean(page.line)}`);
  if (page.kind === 'question' || page.line.endsWith('…'))
    for (const line of [...requestLines(page).slice(1), '']) call.out(line);
  const rows = page.choices.map(choice => [argumentsOf(page, choice), effectOf(choice)] as const);
  const width = Math.max(0, ...rows.map(([words]) => words.length));
  for (const [words, effect] of rows) call.out(`  ${words.padEnd(width)}  ${clean(effect)}`);
  if (page.why !== undefined) call.err(`drover: ${page.why}`);
  return 0;
};

/** The arguments that make a choice: `allow`, or an argument for each question or field. */
const argumentsOf = ({ kind, input }: RequestPage, { choice, fields }: Choice): string => {
  if (kind === 'question' && choice === 'answer')
    return ((input?.questions ?? []) as Question[])
      .map(({ multiSelect }) => (multiSelect ? '<answers>' : '<answer>'))
      .join(' ');
  return [
    choice,
    ...(fields ?? []).map(field => `${field.name}=<${field.options?.join('|') ?? 'value'}>`),
  ].join(' ');
};

const effectOf = ({ choice, label, rule, confirm: sentence }: Choice): string =>
  choice === 'answer'
    ? 'Answer each question with a label, its number, several with commas, or text'
    : [label, rule ?? sentence].filter(Boolean).join(': ');

/** Has a person confirm what the choice will do, where it must be confirmed. */
const confirmChoice = async (call: Call, answer: Answer, { choices }: RequestPage): Promise<Answer> => {
  const sentence = choices.find(({ choice }) => choice === answer.choice)?.confirm;
  if (sentence === undefined) return answer;
  if (flag(call, 'yes')) return { ...answer, confirmed: true };
  if (canAsk() && (await confirmAction(`${sentence} Continue?`))) return { ...answer, confirmed: true };
  return answer;
};

/** Returns the request id given with `--id`. */
export const idOf = (call: Call, verb = 'answer'): number | undefined => {
  const given = text(call, 'id');
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new DroverError('usage', `drover ${verb}: ${JSON.stringify(given)} is not a request id.`);
};

const answerOf = (call: Call, request: RequestPage): Answer => {
  const given = call.args.slice(1);
  const [first = '', ...rest] = given;
  const message = text(call, 'message');
  // The daemon rejects combinations that do not make sense.
  const flags: Answer = {
    ...(message !== undefined && { message }),
    ...(flag(call, 'remember') && { remember: true }),
    ...(flag(call, 'interrupt') && { interrupt: true }),
  };
  const isPlain = given.length === 1 && (first === 'allow' || first === 'deny');
  if (isPlain && request.kind !== 'dialog' && (request.kind !== 'question' || first === 'deny'))
    return { ...flags, behavior: first };
  if (request.kind === 'question')
    return { ...flags, answers: answersOf(given, (request.input?.questions ?? []) as Question[]) };
  const choice = request.choices.find(one => one.choice === first)?.choice;
  if (choice === 'accept') return { ...flags, choice, values: valuesOf(rest) };
  if (choice !== undefined && rest.length === 0) return { ...flags, choice };
  throw new DroverError(
    'usage',
    `drover answer: ${request.tool ?? 'this request'} can be answered with ${choicesText(request)}.`,
    request.why,
  );
};

const choicesText = ({ choices }: RequestPage): string =>
  choices.length > 0 ? choices.map(({ choice }) => `\`${choice}\``).join(', ') : '`allow` or `deny`';

/** Maps `name=value` to the fields of a form. */
const valuesOf = (given: string[]): Record<string, string> =>
  Object.fromEntries(
    given.map(field => {
      const at = field.indexOf('=');
      if (at < 1)
        throw new DroverError('usage', `drover answer: ${JSON.stringify(field)} is not name=value.`);
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );

/** Maps one argument to each question: a label, its number, several with commas, or free text. */
export const answersOf = (
  given: string[],
  questions: Question[],
  verb = 'answer',
): Record<string, string | string[]> => {
  if (given.length !== questions.length)
    throw new DroverError(
      'usage',
      `drover ${verb}: ${questions.length} ${questions.length === 1 ? 'question is' : 'questions are'} open, but ${given.length} ${given.length === 1 ? 'answer was' : 'answers were'} given.`,
      'Give one answer per question, in order, or `deny`. `drover show <session>` lists the questions.',
    );
  return Object.fromEntries(
    questions.map((question, n) => [question.question, chosen(given[n] ?? '', question)]),
  );
};

const chosen = (arg: string, { question, options, multiSelect }: Question): string | string[] => {
  const parts = multiSelect ? arg.split(',').map(part => part.trim()) : [arg];
  const labels = parts.map(part => {
    const label = options.find(option => option.label.toLowerCase() === part.toLowerCase())?.label;
    if (label !== undefined || !/^\d+$/.test(part)) return label ?? part;
    const numbered = options[Number(part) - 1];
    if (!numbered)
      throw new DroverError('usage', `drover answer: ${JSON.stringify(question)} has no option ${part}.`);
    return numbered.label;
  });
  return multiSelect ? labels : (labels[0] ?? '');
};

const answerLines = (answered: Answered, { answers }: Answer): string[] =>
  answers
    ? Object.entries(answers).map(([question, answer]) => `${question} ${[answer].flat().join(', ')}`)
    : [answeredText(answered)];
