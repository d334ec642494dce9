/** What a session requests or said, in bounded readable text. */
import type { Hook } from '../../contract/hook.ts';
import type { Detail, Question, Reason } from '../../contract/session.ts';
import { unseen } from '../../unseen.ts';
import { fingerprint } from './fingerprint.ts';

const lineLength = 300;
const textLength = 8_000;
/** Length of a question, a label, a description. */
const shortTextLength = 2_000;

export const textDetail = (text: unknown): Detail | null =>
  typeof text === 'string' && text !== ''
    ? { line: oneLine(text), ...bounded(text), tool: null, questions: [], agent: null, request: null }
    : null;

/** Returns why a call was denied, in one readable line. */
export const reasonLine = (reason: unknown): string | null =>
  typeof reason === 'string' && reason.trim() !== '' ? oneLine(reason) : null;

/** Returns the kind of request that a tool makes. */
export const requestKind = (tool: unknown): Reason =>
  tool === 'AskUserQuestion' ? 'question' : tool === 'ExitPlanMode' ? 'plan' : 'permission';

export const toolName = ({ tool_name: name }: Hook): string | null =>
  typeof name === 'string' ? name.slice(0, 200) : null;

/** Describes a tool call in one readable line; for AskUserQuestion and ExitPlanMode, the questions or the plan. */
export const toolDetail = (hook: Hook): Detail => {
  const tool = typeof hook.tool_name === 'string' ? hook.tool_name : 'a tool';
  const input = isObject(hook.tool_input) ? hook.tool_input : {};
  const questions = tool === 'AskUserQuestion' ? questionsOf(input) : [];
  const plan = tool === 'ExitPlanMode' && typeof input.plan === 'string' ? input.plan : null;
  const line = questions.length
    ? questions.map(({ question }) => question).join(' / ')
    : plan
      ? oneLine(plan)
      : `${tool}: ${inputLine(input)}`;
  return {
    line: oneLine(line),
    ...bounded(plan ?? json(input)),
    tool,
    questions,
    agent:
      typeof hook.agent_id === 'string'
        ? typeof hook.agent_type === 'string'
          ? hook.agent_type
          : hook.agent_id
        : null,
    request: null,
  };
};

/** Returns the fingerprint of the complete input of a tool. */
export const inputFingerprint = ({ tool_input: input }: Hook): string => fingerprint(json(input));

/** Truncates a text, and says how many characters are missing. */
const bounded = (text: string): { text: string; cut: number } => ({
  text: text.slice(0, textLength),
  cut: Math.max(0, text.length - textLength),
});

const inputLine = (input: Record<string, unknown>): string => {
  for (const key of [
    'command',
    'file_path',
    'path',
    'url',
    'query',
    'pattern',
    'description',
    'prompt',
    'skill',
  ])
    if (typeof input[key] === 'string') return input[key];
  return json(input);
};

/** Returns the complete questions in the input of AskUserQuestion. */
export const questionsIn = (input: Record<string, unknown>): Question[] =>
  list(input.questions)
    .filter(isObject)
    .map(item => ({
      question: string(item.question) ?? '',
      header: string(item.header),
      multiSelect: item.multiSelect === true,
      options: list(item.options)
        .filter(isObject)
        .map(option => ({ label: string(option.label) ?? '', description: string(option.description) })),
    }));

/** Returns the questions truncated for a list of sessions. */
const questionsOf = (input: Record<string, unknown>): Question[] =>
  questionsIn(input)
    .slice(0, 10)
    .map(({ question, header, multiSelect, options }) => ({
      question: words(question),
      header: header === null ? null : words(header),
      multiSelect,
      options: options.slice(0, 20).map(({ label, description }) => ({
        label: words(label),
        description: description === null ? null : words(description),
      })),
    }));

/** Returns one bounded line of text without control and invisible characters, as every list and notification shows it. */
const oneLine = (text: string): string => {
  const plain = text
    .slice(0, 4 * lineLength)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(unseen, '')
    .trim();
  return plain.length > lineLength ? `${plain.slice(0, lineLength - 1)}…` : plain;
};

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
};

const string = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const words = (text: string): string =>
  text.length > shortTextLength ? `${text.slice(0, shortTextLength - 1)}…` : text;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
