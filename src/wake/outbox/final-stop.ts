/**
 * Whether a Stop is the last word of a turn. Another hook may block it, and then the turn goes on with no hook to tell; so
 * the fold waits for the session file to agree. Where nobody else has registered a Stop hook there is nothing to wait for.
 */
import { hasOthers } from '../../hook/install/approvers.ts';
import type { Env } from '../../paths.ts';
import { processArgs } from '../../proc.ts';
import type { Folded } from '../../session/memory.ts';

export const finalStop =
  (env: Env) =>
  ({ dir, pid, managed }: Folded): boolean => {
    if (dir === null || pid === null) return false;
    // Settings given at the start may hold such a hook too; the hub's own hold none.
    const settings = processArgs(pid).filter(word => word.startsWith('--settings')).length;
    return settings <= (managed ? 1 : 0) && !hasOthers(env, dir, ['Stop']);
  };
