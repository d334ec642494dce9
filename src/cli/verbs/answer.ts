/** `drover answer`: answers a held request from the shell. */
import { call as ask } from '../../client/call.ts';
import { answeredText } from '../../client/request-text.ts';
import type { Answer, Answered, Request } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { Question } from '../../contract/session.ts';
import { type Call, flag, firstArg, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const wanted = idOf(call);
  const { id, requests } = await ask(call.paths, 'readSession', { id: firstArg(call, 'session') });
  const only = requests.length === 1 ? requests[0] : undefined;
  const request = wanted === undefined ? only : requests.find(one => one.id === wanted);
  // Without a request the daemon explains why. Such an answer cannot reach a request that opens in between.
  const answer: Answer = request
    ? { ...answerOf(call, request), id: request.id }
    : wanted === undefined
      ? {}
      : { id: wanted };
  const answered = await ask(call.paths, 'answerSession', { id, body: answer });
  if (flag(call, 'json')) call.out(JSON.stringify(answered));
  else for (const line of answerLines(answered, answer)) call.out(line);
  return 0;
};

/** Returns the request id given with `--id`. */
export const idOf = (call: Call, verb = 'answer'): number | undefined => {
  const given = text(call, 'id');
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new DroverError('usage', `drover ${verb}: ${JSON.stringify(given)} is not a request id.`);
};

const answerOf = (call: Call, request: Request): Answer => {
  const given = call.args.slice(1);
  const message = text(call, 'message');
  // The daemon rejects combinations that do not make sense.
  const flags: Answer = {
    ...(message !== undefined && { message }),
    ...(flag(call, 'remember') && { remember: true }),
    ...(flag(call, 'interrupt') && { interrupt: true }),
  };
  const behavior = given.length === 1 && (given[0] === 'allow' || given[0] === 'deny') ? given[0] : null;
  if (behavior && (request.kind !== 'question' || behavior === 'deny')) return { ...flags, behavior };
  if (request.kind !== 'question')
    throw new DroverError(
      'usage',
      `drover answer: answer ${request.tool ?? 'this request'} with \`allow\` or \`deny\`.`,
    );
  return { ...flags, answers: answersOf(given, (request.input?.questions ?? []) as Question[]) };
};

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
