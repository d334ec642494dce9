/** What a session asks, or said last, in full. */
import type { Session } from '../contract/session.ts';
import { clean } from './text.ts';

/** The lines, the first of them a heading; none when nothing is known. */
export const asksOf = ({ detail, state }: Session): string[] => {
  if (!detail) return [];
  const who = detail.agent ? ` (subagent ${clean(detail.agent)})` : '';
  const questions = detail.questions.flatMap(({ question, multiSelect, options }) => [
    '',
    `  ${clean(question)}${multiSelect ? ' (several may be chosen)' : ''}`,
    ...options.map(
      ({ label, description }, n) =>
        `    ${n + 1}. ${clean(label)}${description ? `: ${clean(description)}` : ''}`,
    ),
  ]);
  if (questions.length) return [`It asks${who}:`, ...questions];
  return [
    state === 'waiting' && detail.tool ? `It asks to use ${clean(detail.tool)}${who}:` : 'It said:',
    '',
    ...clean(detail.text ?? detail.line)
      .split('\n')
      .map(text => `  ${text}`),
  ];
};
