/** At each start of a session: are hooks of others registered that may answer what it asks? */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { hasApprovers } from '../hook/install/approvers.ts';
import type { Loop } from '../live/loop.ts';
import type { Env } from '../paths.ts';
import { processWords } from '../proc.ts';
import { ownEvent } from '../session/own-event.ts';
import { approversName } from '../session/reduce.ts';

export const watchApprovers = (env: Env, loop: Loop, take: (drafts: Draft[]) => void, clock: Clock): void => {
  loop.listen(({ event, changed }) => {
    const { source, name, sessionId, context } = event;
    const dir = changed[0]?.after.dir;
    if (source !== 'hook' || name !== 'SessionStart' || !dir || context.host || context.origin) return;
    const found = hasApprovers(env, dir);
    // Settings of its own may hold such a hook too: then nothing is known.
    if (!found && processWords(context.pid ?? 0).some(word => word.startsWith('--settings'))) return;
    take([ownEvent(approversName, sessionId, clock.now(), { found })]);
  });
};
