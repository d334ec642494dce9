/** Adds up tokens and their cost. */
import type { Price, UsageFigures } from '../contract/usage.ts';
import { noTokens, tokenColumns, type TokenSums } from '../store/usage/usage-sums.ts';
import { priceOf, type Tier, webSearchPrice } from './prices.ts';

export const noFigures = (): UsageFigures => ({
  ...noTokens(),
  cost: null,
  unpriced: [],
});

/** Adds the tokens of one model to `figures`. */
export const addTo = (
  figures: UsageFigures,
  sums: TokenSums & { model: string; tier: string },
  own: Record<string, Price>,
): void => {
  for (const name of ['messages', ...tokenColumns] as const) figures[name] += sums[name];
  const cost = costOf(sums, own);
  if (cost !== null) figures.cost = (figures.cost ?? 0) + cost;
  else if (!figures.unpriced.includes(sums.model)) figures.unpriced.push(sums.model);
};

/** Returns the cost in US dollars; null when the model has no known price. */
export const costOf = (
  sums: TokenSums & { model: string; tier: string },
  own: Record<string, Price>,
): number | null => {
  const price = priceOf(sums.model, sums.tier as Tier, own);
  if (!price) return null;
  const tokens =
    sums.input * price.input +
    sums.output * price.output +
    sums.cacheWrite5m * price.cacheWrite5m +
    sums.cacheWrite1h * price.cacheWrite1h +
    sums.cacheRead * price.cacheRead;
  return tokens / 1e6 + sums.webSearches * webSearchPrice;
};
