/**
 * Whether a Stop certainly ends its turn. Another hook may block it, and the turn continues without a further hook. So the fold
 * waits for the session file to agree, unless no other Stop hook is registered.
 */
import { hasOthers } from '../../hook/install/approvers.ts';
import type { Env } from '../../paths.ts';
import { processArgs } from '../../platform/processes.ts';
import type { Folded } from '../../session/memory.ts';

export const finalStop =
  (env: Env) =>
  ({ dir, pid, managed }: Folded): boolean => {
    if (dir === null || pid === null) return false;
    // Settings on the command line may have such a hook too; those of the hub have none.
    const settings = processArgs(pid).filter(word => word.startsWith('--settings')).length;
    return settings <= (managed ? 1 : 0) && !hasOthers(env, dir, ['Stop']);
  };
