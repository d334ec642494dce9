/** What an agent can do about a wake: commands that work as they stand, each with what it does. */
import type { Question, Session } from '../contract/session.ts';
import type { Trigger, WakeMessage } from '../contract/wake.ts';
import { quote } from '../quote.ts';
import { whereOf } from '../contract/origin.ts';

type Action = WakeMessage['actions'][number];

/** `driven`: programs may type into this session. `mask` takes out what must not leave the daemon. */
export const actionsOf = (
  session: Session,
  trigger: Trigger,
  driven: boolean,
  mask: (text: string) => string,
): Action[] => {
  if (trigger === 'session_end') return [];
  if (session.origin)
    return [
      {
        command: `drover show ${session.id}`,
        note: `it runs on ${whereOf(session)}: only its own terminal can answer it`,
      },
    ];
  const refused = {
    command: `drover show ${session.id}`,
    note: 'what types is refused: `drive` in config.json is "none"',
  };
  return [...(driven ? [] : [refused]), ...ways(session, trigger, mask)];
};

const ways = (
  session: Session,
  trigger: Exclude<Trigger, 'session_end'>,
  mask: (text: string) => string,
): Action[] => {
  const menu = (words: string, note: string | null = null): Action => ({
    command: `drover menu ${session.id} ${words}`,
    note,
  });
  const answer = (words: string, note: string): Action => ({
    command: `drover answer ${session.id} ${words}`,
    note,
  });
  const look = menu('snapshot', 'what the pane shows');
  const held = session.pending !== null;
  switch (trigger) {
    case 'permission_prompt':
      return [
        ...(held ? [answer('allow', 'allow it'), answer('deny', 'deny it')] : []),
        menu('choose 1', 'the first answer of the dialog: yes'),
        menu('esc', 'no, and stop'),
        look,
      ];
    case 'plan':
      return [
        ...(held ? [answer('allow', 'approve the plan'), answer('deny', 'keep planning')] : []),
        menu('choose 1', 'the first answer of the dialog: go ahead'),
        menu('esc', 'keep planning'),
        look,
      ];
    case 'ask_user_question':
      return [...questionActions(session, menu, held ? answer : null, mask), menu('esc', 'no answer'), look];
    case 'dialog':
      // A form of an MCP server wants words, not an answer.
      return session.reason === 'elicitation'
        ? [menu('esc', 'no answer; the form itself is filled in in its terminal'), look]
        : [menu('enter', 'the highlighted answer'), menu('esc', 'no answer'), look];
    default:
      return [
        { command: `drover send ${session.id} 'continue'`, note: 'a prompt; any text instead of continue' },
        menu("queue '/clear' 'continue'", 'several prompts, one after the other'),
        look,
      ];
  }
};

const questionActions = (
  { detail }: Session,
  menu: (words: string, note: string) => Action,
  answer: ((words: string, note: string) => Action) | null,
  mask: (text: string) => string,
): Action[] => {
  const questions = detail?.questions ?? [];
  const [only, second] = questions;
  const all = questions.map(question => firstAnswer(question, mask)).join(' ');
  return [
    ...(only && !second && !only.multiSelect
      ? only.options.map(({ label }, n) => menu(`choose ${n + 1}`, label))
      : []),
    menu(`ask ${all}`, 'an answer for each question, in order: a label, a number, or your own words'),
    ...(answer ? [answer(all, 'the same without keys')] : []),
  ];
};

/** The first option by its label; by its number where the label is none for a command line, or must not leave the daemon. */
const firstAnswer = ({ options, multiSelect }: Question, mask: (text: string) => string): string => {
  const label = options[0]?.label ?? '';
  // `deny` is an answer of its own, a hyphen begins a flag, and commas stand between the answers to one question.
  const taken = /^-|^deny$|[\n\t]/i.test(label) || (multiSelect && label.includes(','));
  return mask(label) !== label || taken || label.length > labelLength ? '1' : quote(label);
};

const labelLength = 200;
