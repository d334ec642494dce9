/**
 * Hands variables to one process through a file that only its owner can read. A command line can be read by every user of the
 * machine, and the environment of a tmux server by everything that runs in its panes.
 */
import { rmSync } from 'node:fs';
import { createPrivate } from './private-file.ts';
import { quote } from '../quote.ts';

/** Writes the file that `loadLine` reads. */
export const writeEnvironmentFile = (file: string, env: Record<string, string>): void => {
  rmSync(file, { force: true });
  createPrivate(
    file,
    Object.entries(env)
      .map(([name, value]) => `export ${name}=${quote(value)}\n`)
      .join(''),
    0o600,
  );
};

/** A line of a shell script: exports the variables and removes the file. Without a file it does nothing. */
export const loadLine = (file: string): string =>
  `if [ -f ${quote(file)} ]; then . ${quote(file)}; PATH=/bin:/usr/bin:$PATH rm -f -- ${quote(file)}; fi`;
