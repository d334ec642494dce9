/** `--warm`: a CLI of the daemon's pool that waits for this very prompt, if there is one. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { Request } from '../../print/request.ts';
import { takeOver, type WarmWorkspace, wishOf } from '../../print/pool/warm.ts';
import type { Call } from '../verb.ts';

/** Null when the run must be a cold one; `log` is told why. */
export const warmWorkspace = async (
  { paths }: Call,
  request: Request,
  log: (text: string) => void,
): Promise<WarmWorkspace | null> => {
  const cold = (why: string): null => {
    log(`a cold run: ${why}`);
    return null;
  };
  if (request.flags.some(isOneSessions)) return cold('its flags name a session');
  try {
    const { run, why } = await ask(paths, 'claimWarm', { body: wishOf(request) });
    if (!run) return cold(why ?? 'the daemon has none');
    const stage = await takeOver(run, request, () => ask(paths, 'takeWarm', { id: run.name }));
    log('a warm run');
    return stage;
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down') return cold('no daemon runs');
    return cold((error as Error).message);
  }
};

const isOneSessions = (word: string): boolean =>
  /^(?:-r|-c|--resume|--continue|--session-id|--fork-session|--from-pr|--worktree|-w)(?:=|$)/.test(word);
