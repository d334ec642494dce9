/** Requests and last messages as text. Every cut is marked. */
import type { Answered, PastRequest, Request } from '../contract/answer.ts';
import type { OpenRequest, Question, Session } from '../contract/session.ts';
import { inputText } from '../session/request/input-text.ts';
import { pastText } from '../session/request/past-text.ts';
import { shownLine } from '../session/outcome/outcome-text.ts';
import { tasksText } from '../session/tasks.ts';
import { denialText } from './denied-text.ts';
import { clean, cut, visible } from './text.ts';
import { shortId } from '../contract/short-id.ts';

export { shownLine };

/** The lines for a session: the request that is shown, or its last message, then the other open requests. */
export const sessionLines = (
  session: Pick<Session, 'id' | 'detail' | 'state' | 'requests' | 'denied'>,
): string[] => [
  ...(session.denied?.last.length && session.requests.length === 0
    ? [`Claude Code denied:`, ...session.denied.last.map(one => `  ${denialText(one)}`), '']
    : []),
  ...detailLines(session),
  ...otherLines(session.requests),
];

/** One line for a list: running background tasks, how many requests are open where there are several, and what is shown. */
export const summaryLine = ({
  detail,
  outcome,
  requests,
  tasks,
  state,
  denied,
}: Pick<Session, 'detail' | 'outcome' | 'requests' | 'tasks' | 'state' | 'denied'>): string =>
  [
    denied?.last[0] && state === 'waiting' && requests.length === 0
      ? `(denied ${cut(clean(denied.last[0].line).replaceAll(/\s+/g, ' '), 60)})`
      : '',
    tasks.length > 0 && state !== 'ended' ? `(${cut(clean(tasksText(tasks)), 40)})` : '',
    requests.length > 1 ? `(${requests.length} requests)` : '',
    clean(shownLine({ outcome, detail }) ?? ''),
  ]
    .filter(Boolean)
    .join(' ');

/** One request with its complete input, the first line a heading. */
export const requestLines = (request: Request): string[] => {
  const { kind, tool, agent, input, line } = request;
  const who = agent ? ` (subagent ${clean(agent)})` : '';
  if (input === null) return [`It asks${who}:`, '', ...indented(line)];
  if (kind === 'question') {
    const questions = (Array.isArray(input.questions) ? input.questions : []) as Question[];
    return [`It asks${who}:`, ...questions.flatMap(questionLines)];
  }
  return [`It asks to use ${clean(tool ?? 'a tool')}${who}:`, '', ...indented(inputText(input))];
};

/** Formats an answer: `allowed Bash: git push`, `approved the plan: …`, `answered Which size?`. */
export const answeredText = ({
  behavior,
  choice,
  tool,
  line,
}: Pick<Answered, 'behavior' | 'choice' | 'tool' | 'line'>): string => {
  const isAllowed = behavior === 'allow';
  if (tool === 'ExitPlanMode') return `${isAllowed ? 'approved the plan' : 'kept planning'}: ${line}`;
  if (tool === 'AskUserQuestion') return `${isAllowed ? 'answered' : 'declined to answer'} ${line}`;
  const past = pastChoices[choice] ?? (choice.startsWith('startup:') ? 'answered' : undefined);
  const what = tool === null || line.startsWith(`${tool}: `) ? line : `${tool}: ${line}`;
  return `${past ?? (isAllowed ? 'allowed' : 'denied')} ${what}`;
};

/** The choices of a form. */
const pastChoices: { [choice: string]: string | undefined } = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
};

/** What happened to a request that is no longer open. */
export const goneText = (past: PastRequest, now: number): string =>
  `${pastText(past, now)}${past.line ? `: ${past.line}` : ''}`;

/** The open requests other than the first. */
export const otherLines = (requests: OpenRequest[]): string[] => {
  const others = requests.slice(1);
  if (others.length === 0) return [];
  return [
    '',
    `${others.length} more open ${others.length === 1 ? 'request' : 'requests'}:`,
    ...others.map(
      ({ id, line, agent }) => `  ${id}  ${clean(line)}${agent ? ` (subagent ${clean(agent)})` : ''}`,
    ),
  ];
};

/** Says how much of a text is missing and how to see it. */
export const cutLines = (id: string, cut: number): string[] =>
  cut > 0 ? [`… ${cut} more characters: \`drover show ${shortId(id)}\` shows all of it`] : [];

const detailLines = ({ id, detail, state }: Pick<Session, 'id' | 'detail' | 'state'>): string[] => {
  if (!detail) return [];
  const who = detail.agent ? ` (subagent ${clean(detail.agent)})` : '';
  if (detail.questions.length) return [`It asks${who}:`, ...detail.questions.flatMap(questionLines)];
  return [
    state === 'waiting' && detail.tool ? `It asks to use ${clean(detail.tool)}${who}:` : 'Last message:',
    '',
    ...indented(detail.text ?? detail.line),
    ...cutLines(id, detail.cut),
  ];
};

const questionLines = ({ question, multiSelect, options }: Question): string[] => [
  '',
  `  ${clean(question)}${multiSelect ? ' (several may be chosen)' : ''}`,
  ...(options ?? []).map(
    ({ label, description }, n) =>
      `    ${n + 1}. ${clean(label)}${description ? `: ${clean(description)}` : ''}`,
  ),
];

const indented = (text: string): string[] =>
  visible(text)
    .split('\n')
    .map(line => `  ${line}`);
