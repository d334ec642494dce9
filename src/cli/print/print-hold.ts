/** `--on-permission hold`: lets the daemon answer the requests of a run. */
import { setTimeout as pause } from 'node:timers/promises';
import { eventsForAll } from '../../claude/hook-events.ts';
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { sessionHeader } from '../../contract/inside.ts';
import { handlerFor } from '../../hook/install/command.ts';
import { limits } from '../../limits.ts';
import type { Holding } from '../../print/request.ts';
import type { Call } from '../verb.ts';

/** A run may hold its own requests, even when started inside a session. */
const ownRun = { [sessionHeader]: '' };

/** Starts the daemon if needed and adds its hooks. Hooks that the user also registered run once. */
export const holdingOf = async ({ paths, env }: Call, version: string | null): Promise<Holding> => {
  await ensureDaemon(paths, env);
  const events = eventsForAll(version === null ? [] : [version]);
  return {
    hooks: Object.fromEntries(events.map(event => [event, [{ hooks: [handlerFor(event, env)] }]])),
    hold: async id => {
      const deadline = performance.now() + limits.print.sessionKnown;
      // The daemon reads its SessionStart from the spool within a few ms.
      for (;;) {
        try {
          await ask(paths, 'setApprovals', { id, body: { approvals: 'held' }, headers: ownRun });
          return;
        } catch (error) {
          const unknown = error instanceof DroverError && error.code === 'no_session';
          if (!unknown || performance.now() > deadline) throw error;
          await pause(limits.print.sessionKnownPoll);
        }
      }
    },
    holds: async id => (await ask(paths, 'readSession', { id })).pending !== null,
  };
};
