/** Reads how a CLI under a supervising shell ended. */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';

/** `SIGKILL`, `exit code 1`; null when the shell has not written it within a moment. */
export const readExitStatus = async (file: string): Promise<string | null> => {
  let text = '';
  const isWritten = await pollUntil(
    () => {
      text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return text.endsWith('\n');
    },
    limits.print.lastScreenReads * limits.print.lastScreenPause,
    limits.print.lastScreenPause,
  );
  return isWritten ? statusName(Number(text)) : null;
};

/** A shell adds 128 to the number of a signal. */
const statusName = (status: number): string =>
  Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0] ??
  `exit code ${status}`;
