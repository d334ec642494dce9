/** `drover answer`: answers a held permission, question or plan from the shell. */
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
  // Without a request the daemon says why. Such an answer can reach nothing that opens meanwhile.
  const answer: Answer = request
    ? { ...answerOf(call, request), id: request.id }
    : wanted === undefined
      ? {}
      : { id: wanted };
  const answered = await ask(call.paths, 'answerSession', { id, body: answer });
  if (flag(call, 'json')) call.out(JSON.stringify(answered));
  else for (const line of said(answered, answer)) call.out(line);
  return 0;
};

/** The id of a request that `--id` names. */
export const idOf = (call: Call, verb = 'answer'): number | undefined => {
  const given = text(call, 'id');
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new DroverError('usage', `drover ${verb}: ${JSON.stringify(given)} is not the id of a request.`);
};

const answerOf = (call: Call, request: Request): Answer => {
  const words = call.args.slice(1);
  const message = text(call, 'message');
  // The daemon says which of these do not go together.
  const flags: Answer = {
    ...(message !== undefined && { message }),
    ...(flag(call, 'remember') && { remember: true }),
    ...(flag(call, 'interrupt') && { interrupt: true }),
  };
  const behavior = words.length === 1 && (words[0] === 'allow' || words[0] === 'deny') ? words[0] : null;
  if (behavior && (request.kind !== 'question' || behavior === 'deny')) return { ...flags, behavior };
  if (request.kind !== 'question')
    throw new DroverError('usage', `drover answer: ${request.tool ?? 'it'} takes \`allow\` or \`deny\`.`);
  return { ...flags, answers: answersOf(words, (request.input?.questions ?? []) as Question[]) };
};

/** One word a question, in order: a label, its number, several of either with commas, or an answer of one's own. */
export const answersOf = (
  words: string[],
  questions: Question[],
  verb = 'answer',
): Record<string, string | string[]> => {
  if (words.length !== questions.length)
    throw new DroverError(
      'usage',
      `drover ${verb}: it asks ${questions.length} ${questions.length === 1 ? 'question' : 'questions'}, and got ${words.length} answers.`,
      '`drover show <session>` has the questions; give one answer each, in order, or `deny`.',
    );
  return Object.fromEntries(
    questions.map((question, n) => [question.question, chosen(words[n] ?? '', question)]),
  );
};

const chosen = (word: string, { question, options, multiSelect }: Question): string | string[] => {
  const parts = multiSelect ? word.split(',').map(part => part.trim()) : [word];
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

const said = (answered: Answered, { answers }: Answer): string[] =>
  answers
    ? Object.entries(answers).map(([question, given]) => `${question} ${[given].flat().join(', ')}`)
    : [answeredText(answered)];
