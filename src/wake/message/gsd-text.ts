/** Render wakes as gsd-code-skill words them, for agents and programs that were written for it. */
import type { Question } from '../../contract/session.ts';
import type { Pressure, Trigger, WakeBundle, WakeMessage } from '../../contract/wake.ts';
import { indented } from './truncate.ts';
import { bundleText } from './message.ts';

/** A digest of many wakes, and a test, have no form there and are the same as in the usual text. */
export const gsdBundleText = (bundle: WakeBundle): string =>
  bundle.digest || bundle.test ? bundleText(bundle) : bundle.wakes.map(gsdText).join('\n');

export const gsdText = ({
  identity,
  trigger,
  content,
  pane,
  questions,
  pressure,
  state,
}: WakeMessage): string => {
  const { type } = trigger;
  const { agent_id: agent, tmux_session_name: tmux } = identity;
  const isPane = paneTriggers.includes(type);
  const answer = type === 'ask_user_question_answered' ? content : null;
  const said = isPane || answer || questions || type === 'session_end' ? null : content;
  const stateHint: Section = ['STATE HINT', `state: ${states[type] ?? state}`];
  const hasDriver = tmux !== null && !ended.includes(type);
  const sections: (Section | null)[] = [
    [
      'SESSION IDENTITY',
      [
        `agent_id: ${agent}`,
        `tmux_session_name: ${tmux ?? ''}`,
        `timestamp: ${identity.timestamp.replace(/\.\d+Z$/, 'Z')}`,
      ].join('\n'),
    ],
    ['TRIGGER', `type: ${type}`],
    said && ['CONTENT', indented(said.text)],
    questions && ['ASK USER QUESTION', questions.map(questionText).join('\n')],
    answer && ['ANSWER SELECTED', indented(answer.text)],
    stateHint,
    isPane ? ['PANE CONTENT', indented(pane?.text ?? content?.text ?? '')] : null,
    pressure && !questions && !answer ? ['CONTEXT PRESSURE', pressureText(pressure, type)] : null,
    hasDriver
      ? ['AVAILABLE ACTIONS', actions.map(action => `menu-driver.sh ${tmux} ${action}`).join('\n')]
      : null,
  ];
  return `${sections.flatMap(section => (section ? [`[${section[0]}]\n${section[1]}`] : [])).join('\n\n')}\n`;
};

type Section = [name: string, body: string];

const paneTriggers: Trigger[] = ['idle_prompt', 'permission_prompt', 'pre_compact'];
const ended: Trigger[] = ['session_end', 'ask_user_question_answered'];

/** States that only one of its hooks has. */
const states: { [trigger in Trigger]?: string } = {
  ask_user_question: 'awaiting_user_input',
  ask_user_question_answered: 'answer_submitted',
  pre_compact: 'active',
};

/** The compaction hook knows no CRITICAL. */
const pressureText = ({ level, percent }: Pressure, trigger: Trigger): string => {
  if (percent === null) return 'unknown';
  return `${Math.floor(percent)}% [${trigger === 'pre_compact' && level === 'CRITICAL' ? 'WARNING' : level}]`;
};

const questionText = ({ question, header, multiSelect, options }: Question): string =>
  indented(
    [
      `Question: ${question}`,
      ...(header ? [`Header: ${header}`] : []),
      `Multi-select: ${multiSelect ? 'yes' : 'no'}`,
      'Options:',
      ...options.map(
        ({ label, description }, n) => `  ${n + 1}. ${label}${description ? `: ${description}` : ''}`,
      ),
    ].join('\n'),
  );

const actions = ['choose <n>', 'type <text>', 'clear_then <command>', 'enter', 'esc', 'submit', 'snapshot'];
