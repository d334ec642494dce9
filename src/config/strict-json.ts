/** Parses strict JSON and keeps the position of each part. Used to edit config.json and the settings of Claude Code. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export interface JsonFault {
  offset: number;
  /** The name that jsonc-parser gives it. */
  name: string;
}

export type StrictJson = { root: Node; value: unknown } | { fault: JsonFault };

/** Parses the text, or says what is wrong with it and where. */
export const parseStrictJson = (text: string): StrictJson => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [fault] = errors;
  if (fault) return { fault: { offset: fault.offset, name: printParseErrorCode(fault.error) } };
  if (!root) return { fault: unknownFault };
  try {
    return { root, value: JSON.parse(text) as unknown };
  } catch {
    // jsonc-parser accepts some text that JSON.parse rejects.
    return { fault: unknownFault };
  }
};

const unknownFault: JsonFault = { offset: 0, name: 'InvalidSymbol' };
