/** Adds to a failure how the CLI ended, if it did, and what its terminal showed last. */
import { isRunning, type PrivateCli } from '../../driver/launch/private-cli.ts';
import { readExitStatus } from '../../driver/stop/exit-status.ts';
import { readLastOutput, readOutput } from '../../driver/stop/last-output.ts';
import { PrintFailure } from '../failure.ts';
import type { RunDir } from './run-dir.ts';

/** The same failure with the terminal's output, and with the reason when the CLI ended by itself. */
export const explainFailure = async (
  failure: PrintFailure,
  cli: PrivateCli,
  { ended }: RunDir,
): Promise<PrintFailure> => {
  if (isRunning(cli)) return Object.assign(failure, { screen: (await readOutput(cli)).join('\n') });
  const status = await readExitStatus(ended);
  const rows = await readLastOutput(cli);
  const message = `${failure.message}${status === null ? '' : ` (${status})`}`;
  // A CLI that was killed printed nothing about it.
  const reason = status?.startsWith('SIG') ? '' : inOneLine(rows);
  return Object.assign(new PrintFailure(failure.subtype, reason ? `${message}: ${reason}` : message), {
    screen: rows.join('\n'),
  });
};

/** The last few rows with a word in them: no rules, no pictures. */
const inOneLine = (rows: string[]): string =>
  rows
    .filter(row => /\p{L}{2}/u.test(row))
    .slice(-5)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
