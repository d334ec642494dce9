/** Resolves the names under which Drover is also installed, such as `claude-print`. */
import { basename } from 'node:path';

/** claude-print trusts the folder that it is called in, whatever the CLI asks; `drover print` does not without a flag. */
const verbOfName: Record<string, string[]> = {
  'claude-print': ['print', '--trust-once', '--trust-fallback'],
};

/** Returns the arguments for `drover`, with the verb and flags that the program's name implies. */
export const aliasArgs = ([, program = '', ...args]: string[]): string[] => {
  const verb = verbOfName[basename(program)];
  return verb ? [...verb, ...args] : args;
};
