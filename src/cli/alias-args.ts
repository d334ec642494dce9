/** Resolves the names under which Drover is also installed, such as `claude-print`. */
import { basename } from 'node:path';

const verbOfName: Record<string, string> = { 'claude-print': 'print' };

/** Returns the arguments for `drover`, with the verb that the program's name stands for. */
export const aliasArgs = ([, program = '', ...args]: string[]): string[] => {
  const verb = verbOfName[basename(program)];
  return verb ? [verb, ...args] : args;
};
