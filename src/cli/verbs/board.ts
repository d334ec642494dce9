/** `drover` alone: the board on a terminal, the list anywhere else. */
import { run as list } from './ls.ts';
import { runningBuild } from '../../client/running.ts';
import { replaceIfOlder, startIfAllowed } from '../start-if-allowed.ts';
import type { Call } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  if (!call.tty || process.stdin.isTTY !== true || env.TERM === 'dumb') {
    await startIfAllowed(call);
    return list(call);
  }
  await replaceIfOlder(call, await runningBuild(paths).catch(() => null));
  // Ink draws nothing when the environment looks like a build server's.
  delete process.env.CI;
  const { showBoard } = await import('../../tui/show-board.tsx');
  return showBoard(paths, env);
};
