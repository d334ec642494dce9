/** Parses strict JSON, and keeps where each part stands. config.json and the settings of Claude Code are read and edited by it. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';

export type StrictJson = { root: Node; value: unknown } | { fault: ParseError };

/** Parses the text, or says what is wrong with it and where. */
export const parseStrictJson = (text: string): StrictJson => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [fault] = errors;
  if (!root || fault) return { fault: fault ?? somewhere };
  try {
    return { root, value: JSON.parse(text) as unknown };
  } catch {
    // It decides what is JSON.
    return { fault: somewhere };
  }
};

/** `InvalidSymbol`, at the beginning. */
const somewhere: ParseError = { error: 1, offset: 0, length: 0 };
