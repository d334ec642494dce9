/** `drover panel`: only the answer panel of the first request in the queue. */
import { DroverError } from '../../contract/error.ts';
import type { Call } from '../verb.ts';

export const run = async ({ tty, paths, env }: Call): Promise<number> => {
  if (!tty || process.stdin.isTTY !== true || env.TERM === 'dumb')
    throw new DroverError('usage', 'The panel needs a terminal.', 'Answer with `drover answer <session>`.');
  // Ink draws nothing when the environment looks like a build server's.
  delete process.env.CI;
  const { showBoard } = await import('../../tui/show-board.tsx');
  return showBoard(paths, env, 'panel');
};
