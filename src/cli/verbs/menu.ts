/** `drover menu`: reads a session's screen, acts on it, answers questions and runs commands in order. */
import { call as ask } from '../../client/call.ts';
import { DroverError, errors } from '../../contract/error.ts';
import type { AskReport, Commands, MenuAction, MenuView } from '../../contract/menu.ts';
import type { Question } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { answersOf, idOf } from './answer.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, unknownAction, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const session = await sessionArg(call);
  const [action, ...args] = [...call.args.slice(1), ...call.rest];
  switch (action) {
    case undefined:
    case 'snapshot':
      return show(call, await ask(call.paths, 'readMenu', { id: session }), true);
    case 'enter':
    case 'esc':
    case 'submit':
      rejectArgs(action, args);
      return act(call, session, { action });
    case 'choose':
      return act(call, session, { action, option: optionOf(textOf('choose', args)) });
    case 'type':
      return act(call, session, { action, text: textOf('type', args) });
    case 'clear_then':
      return queue(call, session, ['/clear', textOf('clear_then', args)]);
    case 'ask':
      return answer(call, session, args);
    case 'queue':
      return queue(call, session, args);
    default:
      throw unknownAction(call, action);
  }
};

const act = async (call: Call, session: string, action: MenuAction): Promise<number> => {
  const expect = text(call, 'expect');
  const id = idOf(call, 'menu');
  const body: MenuAction = {
    ...action,
    ...(expect !== undefined && { expect }),
    ...(id !== undefined && { id }),
  };
  return show(call, await ask(call.paths, 'actOnMenu', { id: session, body }), false);
};

const show = (call: Call, view: MenuView, whole: boolean): number => {
  if (flag(call, 'json')) call.out(JSON.stringify(view));
  else {
    if (whole) call.out(`${view.screen}\n`);
    if (view.chose !== null) call.out(`chose: ${view.chose}`);
    for (const line of linesOf(view)) call.out(line);
  }
  return 0;
};

const linesOf = ({ shows, menu, draft }: MenuView): string[] => {
  if (!menu) return [shows === 'prompt' ? `prompt: ${draft || '(empty)'}` : 'neither a menu nor a prompt'];
  return [
    `menu: ${menu.title ?? ''}`.trimEnd(),
    ...menu.options.map(
      ({ number, label, selected, checked }) =>
        `${selected ? '❯' : ' '} ${number === null ? '  ' : `${number}.`}${checked === null ? '' : checked ? ' [x]' : ' [ ]'} ${label}`,
    ),
  ];
};

const answer = async (call: Call, session: string, args: string[]): Promise<number> => {
  const { id, requests } = await ask(call.paths, 'readSession', { id: session });
  const wanted = idOf(call, 'menu');
  const asked = requests.filter(
    request => request.kind === 'question' && (wanted === undefined || request.id === wanted),
  );
  const [request] = asked;
  if (!request) throw new DroverError('refused', `Session ${shortId(id)} has no such open question.`);
  if (asked.length > 1)
    throw new DroverError('several_requests', `${asked.length} questions are open.`, 'Name one with `--id`.');
  const answers = answersOf(args, (request.input?.questions ?? []) as Question[], 'menu ask');
  const timeout = limits.menu.answerTimeout + limits.menu.keysTimeout + limits.daemon.answerTimeout;
  const report = await ask(call.paths, 'askSession', { id, body: { answers, id: request.id }, timeout });
  if (flag(call, 'json')) call.out(JSON.stringify(report));
  else for (const line of report.answers) call.out(answerLine(line, report.verdict));
  return report.verdict === 'matched' ? 0 : errors.failed.exit;
};

const answerLine = (
  { question, given, taken, matches }: AskReport['answers'][number],
  verdict: AskReport['verdict'],
): string => {
  if (matches) return `${question} ${given}`;
  return verdict === 'unseen'
    ? `${question} ${given} (unknown whether it was accepted)`
    : `${question} MISMATCH: sent ${JSON.stringify(given)}, received ${JSON.stringify(taken)}`;
};

const queue = async (call: Call, session: string, commands: string[]): Promise<number> => {
  const wait = !flag(call, 'no-wait');
  const timeout = secondsOf(text(call, 'timeout') ?? '600');
  const found = flag(call, 'cancel')
    ? await ask(call.paths, 'cancelCommands', { id: session })
    : commands.length === 0
      ? (await ask(call.paths, 'readCommands', { id: session })).commands
      : await ask(call.paths, 'runCommands', {
          id: session,
          body: { commands, wait, timeout },
          timeout: timeout * 1_000 + limits.daemon.answerTimeout,
        });
  if (flag(call, 'json')) call.out(JSON.stringify(found));
  else if (!found) call.out('No commands');
  else for (const line of stepsOf(found)) call.out(line);
  return found?.status === 'cancelled' && !flag(call, 'cancel') ? errors.refused.exit : 0;
};

const stepsOf = ({ status, reason, steps, sessionId }: Commands): string[] => [
  ...steps.map(
    step => `${step.status.padEnd(9)}  ${step.command}${step.result ? `  -> ${firstLine(step.result)}` : ''}`,
  ),
  `${status} in ${shortId(sessionId)}${reason ? `: ${reason}` : ''}`,
];

const firstLine = (result: string): string => result.split('\n')[0] ?? '';

const textOf = (action: string, args: string[]): string => {
  if (args.length) return args.join(' ');
  throw new DroverError(
    'usage',
    `drover menu ${action}: an argument is missing.`,
    'See `drover menu --help`.',
  );
};

const rejectArgs = (action: string, args: string[]): void => {
  if (args.length) throw new DroverError('usage', `drover menu ${action}: takes no arguments.`);
};

const optionOf = (given: string): number | string => (/^\d+$/.test(given) ? Number(given) : given);

const secondsOf = (given: string): number => {
  const seconds = Number(given);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  throw new DroverError(
    'usage',
    `${JSON.stringify(given)} is not a valid timeout.`,
    'Give seconds, at most 3600.',
  );
};
