/** The price table: US dollars for a million tokens, as Claude Code 2.1.325 charges them. */
import type { Price } from '../contract/usage.ts';

/** The date of this table. */
export const pricesOf = '2026-11-16';

/** What makes a request of one model cost more than another: fast mode, or a prompt beyond a length. */
export type Tier = '' | 'fast' | 'long';

export type FullPrice = { [Name in keyof Price]-?: number };

/** US dollars for one web search. */
export const webSearchPrice = 0.01;

const price = (input: number, output: number, cacheRead = input / 10): FullPrice => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead,
});

const table: Record<string, FullPrice> = {
  'claude-3-5-haiku': price(0.8, 4),
  'claude-haiku-4-5': price(1, 5),
  'claude-haiku-5-5': price(0.1, 0.5),
  'claude-3-5-sonnet': price(3, 15),
  'claude-3-7-sonnet': price(3, 15),
  'claude-sonnet-4': price(3, 15),
  'claude-sonnet-4-0': price(3, 15),
  'claude-sonnet-4-5': price(3, 15),
  'claude-sonnet-4-6': price(3, 15),
  'claude-sonnet-5': price(2, 10),
  'claude-sonnet-5-5': price(2, 10, 0.1),
  'claude-opus-4': price(15, 75),
  'claude-opus-4-0': price(15, 75),
  'claude-opus-4-1': price(15, 75),
  'claude-opus-4-5': price(5, 25),
  'claude-opus-4-6': price(5, 25),
  'claude-opus-4-7': price(5, 25),
  'claude-opus-4-8': price(5, 25),
  'claude-opus-5': price(5, 25),
  'claude-opus-5-5': price(4, 20, 0.2),
  'claude-fable-5': price(10, 50),
  'claude-fable-5-1': price(10, 50, 0.25),
  'claude-fable-5-2': price(8, 40, 0.2),
  'claude-mythos-5': price(10, 50),
  'claude-mythos-5-1': price(10, 50, 0.25),
  'claude-mythos-5-2': price(8, 40, 0.2),
};

const fast: Record<string, FullPrice> = {
  'claude-opus-4-6': price(30, 150),
  'claude-opus-4-7': price(30, 150),
  'claude-opus-4-8': price(10, 50),
  'claude-opus-5': price(10, 50),
  'claude-opus-5-5': price(8, 40, 0.4),
  'claude-fable-5-2': price(16, 80, 0.4),
  'claude-mythos-5-2': price(16, 80, 0.4),
};

const long: Record<string, FullPrice & { above: number }> = {
  'claude-haiku-5-5': { ...price(0.5, 2.5), above: 100_000 },
};

/** Returns the name of a model without date, context size and provider: `us.anthropic.claude-opus-4-1-20250805-v1:0[1m]`. */
export const modelName = (model: string): string =>
  /(claude-[a-z0-9-]*?[a-z0-9])(?:[-@]\d{8})?(?:-v\d+(?::\d+)?)?(?:\[1m\])?$/.exec(model)?.[1] ?? model;

/** Tells which tier a request belongs to, by its prompt tokens. */
export const tierOf = (model: string, isFast: boolean, promptTokens: number): Tier => {
  if (isFast) return 'fast';
  return promptTokens > (long[modelName(model)]?.above ?? Number.POSITIVE_INFINITY) ? 'long' : '';
};

/** Returns the price of a model; null when it is not known. Prices of the config come first. */
export const priceOf = (model: string, tier: Tier, own: Record<string, Price> = {}): FullPrice | null => {
  const name = modelName(model);
  const given = own[model] ?? own[name];
  if (given) {
    const usual = price(given.input, given.output);
    return {
      ...usual,
      cacheWrite5m: given.cacheWrite5m ?? usual.cacheWrite5m,
      cacheWrite1h: given.cacheWrite1h ?? usual.cacheWrite1h,
      cacheRead: given.cacheRead ?? usual.cacheRead,
    };
  }
  return { '': table, fast, long }[tier][name] ?? null;
};
