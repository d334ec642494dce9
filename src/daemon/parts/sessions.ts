/** The sessions as they are now. */
import type { Parking } from '../../hub/start/parking.ts';
import type { Holds } from '../../hub/request/holds.ts';
import { deniedHandlers } from '../../server/handlers/denied.ts';
import { nameHandlers } from '../../server/handlers/names.ts';
import { sessionHandlers } from '../../server/handlers/sessions.ts';
import { remoteSessionsOf } from '../../server/fleet/remote-sessions.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Core } from '../core.ts';
import type { Past } from './past.ts';
import type { TmuxPart } from './tmux.ts';

export interface SessionDeps {
  holds: Holds;
  tmux: TmuxPart;
  past: Past;
  /** Measures the memory of the sessions, unless that was done a moment ago. */
  memory: { refresh: () => Promise<void> };
  parking: Pick<Parking, 'unpark'>;
  fleet: { readonly peers: Peers | null };
}

export const openSessions = (
  { loop, clock, store }: Core,
  { holds, tmux, past, memory, parking, fleet }: SessionDeps,
) => ({
  name: 'sessions',
  handlers: {
    ...sessionHandlers(
      loop.sessionIndex,
      holds,
      tmux,
      past.lineage,
      memory.refresh,
      session => parking.unpark(session),
      seq => loop.payloadAt(seq),
      remoteSessionsOf(() => fleet.peers),
    ),
    ...nameHandlers(loop, clock),
    ...deniedHandlers(store.log, loop.sessionIndex),
  },
});
