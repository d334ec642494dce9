/** Tokens and costs as text. */
import { costText, lastPart } from '../../client/usage-text.ts';
import { shortId } from '../../contract/short-id.ts';
import type { UsageFigures, UsageRow } from '../../contract/usage.ts';

/** All tokens, those from the cache included. */
export const tokensOf = ({ input, output, cacheWrite5m, cacheWrite1h, cacheRead }: UsageFigures): number =>
  input + output + cacheWrite5m + cacheWrite1h + cacheRead;

/** Formats a number of tokens: 950, 12.3k, 4.56M. */
export const tokenText = (tokens: number): string => {
  if (tokens < 1_000) return String(tokens);
  const [divisor, unit] = units.find(([from]) => tokens >= from) ?? ([1_000, 'k'] as const);
  const value = tokens / divisor;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)}${unit}`;
};

const units = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** The cost of figures: "–" without a known price, "+" where the price of a model is missing in it. */
export const figuresCost = ({ cost, unpriced }: Pick<UsageFigures, 'cost' | 'unpriced'>): string =>
  cost === null ? '–' : `${costText(cost)}${unpriced.length > 0 ? '+' : ''}`;

/** The name of a session's row. */
export const sessionName = ({ name, title, project }: UsageRow): string =>
  title ?? `${lastPart(project ?? '')} ${shortId(name)}`.trim();
