/**
 * Distinguishes text of this program from text of its user. A log message is shown only if the program's own code contains it: then it
 * cannot be a prompt, a path or a secret.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFile } from '../../program-file.ts';

export type IsOwnText = (text: string) => boolean;

/** Reads the code of the program once. */
export const ownText = (folder = dirname(programFile())): IsOwnText => {
  let code: string | null = null;
  return text => {
    code ??= readdirSync(folder)
      .filter(name => /\.(?:js|ts)$/.test(name))
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    return text.length > 3 && code.includes(text);
  };
};

/** The text if it is the program's own; else how long it was. */
export const shownText = (text: string, isOwn: IsOwnText): string =>
  isOwn(text) ? text : `[${text.length} characters hidden]`;
