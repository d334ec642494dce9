/** Usage as text, for commands and the page. */
import type { Usage } from '../contract/usage.ts';

/** Formats a cost in US dollars. Small ones have four digits. */
export const costText = (cost: number): string => `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`;

/** The last part of a directory. */
export const lastPart = (dir: string): string => dir.split('/').findLast(Boolean) ?? dir;

/** Describes what is spent of a budget. */
export const budgetText = ({ kind, limit, spent }: Usage['budgets'][number]): string =>
  `Budget ${kind === 'session' ? 'of a session (most expensive today)' : `of this ${kind}`}: ${costText(spent)} of ${costText(limit)}${spent >= limit ? ', reached' : ''}`;

/** Describes what was billed beyond the transcripts, such as compaction; unknown for sessions without a bill. */
export const unrecordedText = (
  { sessions, unknownSessions, input, output, cost }: Usage['unrecorded'],
  tokenText: (tokens: number) => string,
): string => {
  const tokens = input === null ? '' : `${tokenText(input)} input, ${tokenText(output ?? 0)} output, `;
  const known = sessions > 0 ? [`${tokens}${costText(cost)} in ${plural(sessions)}`] : [];
  const unknown = unknownSessions > 0 ? [`cost unknown for ${plural(unknownSessions)}`] : [];
  return [...known, ...unknown].join('; ') || 'nothing';
};

const plural = (sessions: number): string => `${sessions} session${sessions === 1 ? '' : 's'}`;
