/** The program under another name: a link beside `drover` that stands for one of its verbs. */
import { basename } from 'node:path';

const names: Record<string, string> = { 'claude-print': 'print' };

/** The words of a command line as if they had been given to `drover`. */
export const droverWords = ([, program = '', ...words]: string[]): string[] => {
  const verb = names[basename(program)];
  return verb ? [verb, ...words] : words;
};
