/** What an agent can do about a wake: commands that work as they stand, each with what it does. */
import { whereOf } from '../../contract/origin.ts';
import type { OpenRequest, Question, Session } from '../../contract/session.ts';
import type { Trigger, WakeMessage } from '../../contract/wake.ts';
import { quote } from '../../quote.ts';
import type { WakeRequest } from './wake-request.ts';

type Action = WakeMessage['actions'][number];

export interface ActionContext {
  trigger: Trigger;
  /** The request that the wake is about. */
  request: WakeRequest | null;
  /** An answer through Drover reaches it. */
  isAnswerable: boolean;
  /** Programs may type into this session. */
  driven: boolean;
  /** Takes out what must not leave the daemon. */
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
    note: 'what types is refused: `drive` in config.json is "none"',
  };
  return [...(context.driven ? [] : [refused]), ...ways(session, context)];
};

const ways = (session: Session, context: ActionContext): Action[] => {
  const menu = (words: string[], note: string | null = null): Action => ({
    command: command('menu', session.id, ...words),
    note,
  });
  const look = menu(['snapshot'], 'what the pane shows');
  const open = session.requests.find(({ id }) => id === context.request?.id);
  /** An answer that reaches this request alone; none where Drover does not hold it. */
  const answer = (words: string[], note: string): Action[] =>
    open && context.isAnswerable
      ? [{ command: `${command('answer', session.id)} ${words.join(' ')} --id ${open.id}`, note }]
      : [];
  const named = open ? ['--id', String(open.id)] : [];
  /** Keys in its dialog, where the screen can tell it from every other open request. */
  const keys = (words: string[], note: string): Action[] => {
    const expected = expectedOn(session, context);
    const isSure = expected !== null && (open !== undefined || expected.length > 0);
    return isSure ? [menu([...words, ...named, ...expected], note)] : [];
  };
  switch (context.trigger) {
    case 'permission_prompt':
      return [
        ...answer(['allow'], 'allow it'),
        ...answer(['deny'], 'deny it'),
        ...keys(['choose', '1'], 'the first answer of the dialog: yes'),
        ...keys(['esc'], 'no, and stop'),
        look,
      ];
    case 'plan':
      return [
        ...answer(['allow'], 'approve the plan'),
        ...answer(['deny'], 'keep planning'),
        ...keys(['choose', '1'], 'the first answer of the dialog: go ahead'),
        ...keys(['esc'], 'keep planning'),
        look,
      ];
    case 'ask_user_question':
      return [...questionActions(session, context, keys, answer), ...keys(['esc'], 'no answer'), look];
    case 'dialog':
      // A form of an MCP server wants words, not an answer.
      return session.reason === 'elicitation'
        ? [menu(['esc', ...named], 'no answer; the form itself is filled in in its terminal'), look]
        : [menu(['enter', ...named], 'the highlighted answer'), menu(['esc', ...named], 'no answer'), look];
    default:
      return [
        {
          command: `${command('send', session.id)} 'continue'`,
          note: 'a prompt; any text instead of continue',
        },
        {
          ...menu([]),
          command: `${command('menu', session.id, 'queue')} '/clear' 'continue'`,
          note: several,
        },
        look,
      ];
  }
};

const several = 'several prompts, one after the other';

const questionActions = (
  session: Session,
  { request, mask }: ActionContext,
  keys: (words: string[], note: string) => Action[],
  answer: (words: string[], note: string) => Action[],
): Action[] => {
  const questions = request?.detail.questions ?? [];
  const [only, second] = questions;
  const words = questions.map(question => firstAnswer(question, mask));
  const ask = command('menu', session.id, 'ask');
  const id = request?.id === null || request === null ? '' : ` --id ${request.id}`;
  return [
    ...(only && !second && !only.multiSelect
      ? only.options.flatMap(({ label }, n) => keys(['choose', String(n + 1)], label))
      : []),
    {
      command: `${ask} ${words.map(answerWord).join(' ')}${id}`,
      note: 'an answer for each question, in order: a label, a number, or your own words',
    },
    ...answer(words.map(answerWord), 'the same without keys'),
  ];
};

/** `--expect` with a text of the dialog; null where the screen could not tell it from another open request. */
const expectedOn = ({ requests }: Session, { request, mask }: ActionContext): string[] | null => {
  const text = request?.shows ?? null;
  const others = requests.filter(({ id }) => id !== request?.id);
  const isUnsure = text === null || mask(text) !== text;
  if (isUnsure) return others.length > 0 ? null : [];
  return others.some(other => looksLike(other, request as WakeRequest)) ? null : ['--expect', text];
};

/** Two plans, or two requests whose dialogs may show the same text. */
const looksLike = ({ kind, line }: OpenRequest, { shows, detail }: WakeRequest): boolean =>
  line.includes(shows ?? '') || (kind === 'plan' && detail.tool === 'ExitPlanMode');

/** The first option by its label; by its number where the label does not suit a command line, or must not leave the daemon. */
const firstAnswer = ({ options, multiSelect }: Question, mask: (text: string) => string): string => {
  const label = options[0]?.label ?? '';
  // `deny` is an answer of its own, a hyphen begins a flag, and commas stand between the answers to one question.
  const taken = /^-|^deny$|[\n\t]/i.test(label) || (multiSelect && label.includes(','));
  return mask(label) !== label || taken || label.length > labelLength ? '1' : label;
};

const labelLength = 200;

const answerWord = (word: string): string => (word === '1' ? word : quote(word));

const command = (...words: string[]): string => ['drover', ...words.map(quoted)].join(' ');

/** A word of a command, quoted unless it is plain. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word));
