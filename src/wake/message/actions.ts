/** The commands that a wake offers to its agent, each with a note. They can be run as printed. */
import { whereOf } from '../../contract/origin.ts';
import type { OpenRequest, Question, Session } from '../../contract/session.ts';
import type { Trigger, WakeMessage } from '../../contract/wake.ts';
import { quote } from '../../quote.ts';
import type { WakeRequest } from './wake-request.ts';

type Action = WakeMessage['actions'][number];

export interface ActionContext {
  trigger: Trigger;
  request: WakeRequest | null;
  /** `drover answer` can reach the request. */
  isAnswerable: boolean;
  /** Drover may type into this session. */
  driven: boolean;
  /** Removes secrets. */
  mask: (text: string) => string;
}

export const actionsOf = (session: Session, context: ActionContext): Action[] => {
  if (context.trigger === 'session_end') return [];
  if (session.origin)
    return [
      {
        command: command('show', session.id),
        note: `it runs on ${whereOf(session)}: only its own terminal can answer it`,
      },
    ];
  const refused = {
    command: command('show', session.id),
    note: 'commands that type are refused: `drive` in config.json is "none"',
  };
  return [...(context.driven ? [] : [refused]), ...localActions(session, context)];
};

const localActions = (session: Session, context: ActionContext): Action[] => {
  const menu = (args: string[], note: string | null = null): Action => ({
    command: command('menu', session.id, ...args),
    note,
  });
  const snapshot = menu(['snapshot'], 'show the pane');
  const open = session.requests.find(({ id }) => id === context.request?.id);
  /** The command that answers exactly this request; none when Drover does not hold it. */
  const answer = (args: string[], note: string): Action[] =>
    open && context.isAnswerable
      ? [{ command: `${command('answer', session.id)} ${args.join(' ')} --id ${open.id}`, note }]
      : [];
  const named = open ? ['--id', String(open.id)] : [];
  /** The command that presses keys in the dialog; none when the screen may show another open request. */
  const keys = (args: string[], note: string): Action[] => {
    const expected = expectedOn(session, context);
    const isSure = expected !== null && (open !== undefined || expected.length > 0);
    return isSure ? [menu([...args, ...named, ...expected], note)] : [];
  };
  switch (context.trigger) {
    case 'permission_prompt':
      return [
        ...answer(['allow'], 'allow it'),
        ...answer(['deny'], 'deny it'),
        ...keys(['choose', '1'], 'choose the first option: yes'),
        ...keys(['esc'], 'deny it and end the turn'),
        snapshot,
      ];
    case 'plan':
      return [
        ...answer(['allow'], 'approve the plan'),
        ...answer(['deny'], 'keep planning'),
        ...keys(['choose', '1'], 'choose the first option: go ahead'),
        ...keys(['esc'], 'keep planning'),
        snapshot,
      ];
    case 'ask_user_question':
      return [
        ...questionActions(session, context, keys, answer),
        ...keys(['esc'], 'close it without an answer'),
        snapshot,
      ];
    case 'dialog':
      // A form of an MCP server needs text in its fields, which keys alone cannot give.
      return session.reason === 'elicitation'
        ? [
            menu(['esc', ...named], 'close it without an answer; only its terminal can fill in the form'),
            snapshot,
          ]
        : [
            menu(['enter', ...named], 'choose the selected option'),
            menu(['esc', ...named], 'close it without an answer'),
            snapshot,
          ];
    default:
      return [
        {
          command: `${command('send', session.id)} 'continue'`,
          note: 'send a prompt; replace continue with any text',
        },
        {
          ...menu([]),
          command: `${command('menu', session.id, 'queue')} '/clear' 'continue'`,
          note: several,
        },
        snapshot,
      ];
  }
};

const several = 'run several prompts, one after the other';

const questionActions = (
  session: Session,
  { request, mask }: ActionContext,
  keys: (args: string[], note: string) => Action[],
  answer: (args: string[], note: string) => Action[],
): Action[] => {
  const questions = request?.detail.questions ?? [];
  const [only, second] = questions;
  const answers = questions.map(question => quoteAnswer(firstAnswer(question, mask)));
  const ask = command('menu', session.id, 'ask');
  const id = request?.id === null || request === null ? '' : ` --id ${request.id}`;
  return [
    ...(only && !second && !only.multiSelect
      ? only.options.flatMap(({ label }, n) => keys(['choose', String(n + 1)], label))
      : []),
    {
      command: `${ask} ${answers.join(' ')}${id}`,
      note: 'answer each question, in order: a label, a number, or your own words',
    },
    ...answer(answers, 'the same, without pressing keys'),
  ];
};

/** Build `--expect` with a text of the dialog; null when another open request could show the same text. */
const expectedOn = ({ requests }: Session, { request, mask }: ActionContext): string[] | null => {
  const text = request?.shows ?? null;
  const others = requests.filter(({ id }) => id !== request?.id);
  const isUnsure = text === null || mask(text) !== text;
  if (isUnsure) return others.length > 0 ? null : [];
  return others.some(other => looksLike(other, request as WakeRequest)) ? null : ['--expect', text];
};

/** Check whether two requests are plans, or their dialogs may show the same text. */
const looksLike = ({ kind, line }: OpenRequest, { shows, detail }: WakeRequest): boolean =>
  line.includes(shows ?? '') || (kind === 'plan' && detail.tool === 'ExitPlanMode');

/** Return the label of the first option, or its number when the label is secret or cannot be an argument. */
const firstAnswer = ({ options, multiSelect }: Question, mask: (text: string) => string): string => {
  const label = options[0]?.label ?? '';
  // `deny` has its own meaning, a hyphen starts a flag, and commas separate several answers.
  const isUnusable = /^-|^deny$|[\n\t]/i.test(label) || (multiSelect && label.includes(','));
  return mask(label) !== label || isUnusable || label.length > labelLength ? '1' : label;
};

const labelLength = 200;

const quoteAnswer = (answer: string): string => (answer === '1' ? answer : quote(answer));

const command = (...args: string[]): string => ['drover', ...args.map(quoteIfNeeded)].join(' ');

const quoteIfNeeded = (arg: string): string => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : quote(arg));
