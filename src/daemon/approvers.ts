/** Whether hooks of others may answer the requests of a session, found out when it starts. */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { hasApprovers } from '../hook/install/approvers.ts';
import type { Commit } from '../live/loop.ts';
import type { Env } from '../paths.ts';
import { processArgs } from '../platform/processes.ts';
import { ownEvent } from '../session/own-event.ts';
import { approversName } from '../session/reduce.ts';

/** The event that says it; null when this commit starts no session of this machine, or nothing is known. */
export const approversDraft = ({ event, changed }: Commit, env: Env, clock: Clock): Draft | null => {
  const { source, name, sessionId, context } = event;
  const dir = changed[0]?.after.dir;
  if (source !== 'hook' || name !== 'SessionStart' || !dir || context.host || context.origin) return null;
  const found = hasApprovers(env, dir);
  // Settings of its own may name such a hook too: then nothing is known.
  if (!found && processArgs(context.pid ?? 0).some(word => word.startsWith('--settings'))) return null;
  return ownEvent(approversName, sessionId, clock.now(), { found });
};
