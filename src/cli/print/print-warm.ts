/** `--warm`: takes a matching CLI from the daemon's pool, if there is one. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { Request } from '../../print/request.ts';
import { takeOver, type WarmWorkspace, warmLaunchOf } from '../../print/pool/warm.ts';
import type { Call } from '../verb.ts';

/** Returns null, and logs why, if the run must be cold. */
export const warmWorkspace = async (
  { paths }: Call,
  request: Request,
  log: (text: string) => void,
): Promise<WarmWorkspace | null> => {
  const cold = (why: string): null => {
    log(`cold run: ${why}`);
    return null;
  };
  if (request.flags.some(namesSession)) return cold('its flags name a session');
  try {
    const { run, why } = await ask(paths, 'reserveWarm', { body: warmLaunchOf(request) });
    if (!run) return cold(why ?? 'the pool has none');
    const stage = await takeOver(run, request, () => ask(paths, 'takeWarm', { id: run.name }));
    log('warm run');
    return stage;
  } catch (error) {
    if (error instanceof DroverError && error.code === 'daemon_down')
      return cold('the daemon is not running');
    return cold((error as Error).message);
  }
};

const namesSession = (arg: string): boolean =>
  /^(?:-r|-c|--resume|--continue|--session-id|--fork-session|--from-pr|--worktree|-w)(?:=|$)/.test(arg);
