/** What is left of a CLI that a run failed with: how it ended, if it did, and what its terminal showed last. */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import { wordsIn } from '../../tmux/server/panes.ts';
import { type Child, isAlive } from './child.ts';
import { PrintFailure } from '../failure.ts';
import type { RunDir } from './run-dir.ts';

/** The same failure with the terminal's words, and with the reason where the CLI ended by itself. */
export const explained = async (failure: PrintFailure, child: Child, dir: RunDir): Promise<PrintFailure> => {
  if (isAlive(child)) return Object.assign(failure, { screen: await shownBy(child) });
  const how = await endOf(dir);
  const screen = await lastWords(child);
  const message = `${failure.message}${how && ` (${how})`}`;
  // What was killed has said nothing about it.
  const why = how.startsWith('SIG') ? '' : inOneLine(screen);
  return Object.assign(new PrintFailure(failure.subtype, why ? `${message}: ${why}` : message), { screen });
};

/** The shell behind the CLI tells a moment later. Empty where it does not. */
const endOf = async ({ ended }: RunDir): Promise<string> => {
  for (let look = 0; look < limits.print.lastScreenReads; look++) {
    const said = existsSync(ended) ? readFileSync(ended, 'utf8') : '';
    if (said.endsWith('\n')) return endName(Number(said));
    await pause(limits.print.lastScreenPause);
  }
  return '';
};

/** A shell adds 128 to the number of a signal. */
const endName = (status: number): string =>
  Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0] ??
  `exit code ${status}`;

/** They may still be on their way to the terminal. */
const lastWords = async (child: Child): Promise<string> => {
  for (let look = 1; ; look++) {
    const said = await shownBy(child);
    if (said || look >= limits.print.lastScreenReads) return said;
    await pause(limits.print.lastScreenPause);
  }
};

const shownBy = async ({ socket, pane }: Child): Promise<string> => {
  const rows = (await wordsIn(socket, pane)).split('\n').map(row => row.trimEnd());
  return rows
    .filter(row => row !== '')
    .slice(-limits.print.lastScreenRows)
    .join('\n');
};

/** The last few rows that hold a word: no rules, no pictures. */
const inOneLine = (screen: string): string =>
  screen
    .split('\n')
    .filter(row => /\p{L}{2}/u.test(row))
    .slice(-5)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
