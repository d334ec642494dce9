/** `@alcalzone/ansi-tokenize` for Ink, with a cache: most lines of a frame were in the frame before. */
import * as tokens from '@alcalzone/ansi-tokenize';

export * from '@alcalzone/ansi-tokenize';

const most = 2_000;
const known = new Map<string, tokens.Token[]>();
const characters = new WeakMap<tokens.Token[], tokens.StyledChar[]>();

export const tokenize = (text: string, end?: number): tokens.Token[] => {
  if (end !== undefined) return tokens.tokenize(text, end);
  const before = known.get(text);
  if (before) return before;
  if (known.size >= most) known.clear();
  const found = tokens.tokenize(text);
  known.set(text, found);
  return found;
};

export const styledCharsFromTokens = (given: tokens.Token[]): tokens.StyledChar[] => {
  const before = characters.get(given);
  if (before) return before;
  const found = tokens.styledCharsFromTokens(given);
  characters.set(given, found);
  return found;
};
