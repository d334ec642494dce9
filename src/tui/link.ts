/** Keeps the board connected to the daemon over server-sent events, and reports at once when the connection breaks. */
import { call } from '../client/call.ts';
import { endedShown } from '../client/board.ts';
import { pathOf } from '../client/route-call.ts';
import { startDaemon } from '../client/start.ts';
import { awaitDaemon, follow, isDown } from '../client/stream.ts';
import type { SessionList } from '../contract/api.ts';
import type { FleetSummary } from '../contract/fleet.ts';
import type { Order } from '../contract/queue.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';

export interface LinkEvents {
  /** Every live session. */
  onSnapshot: (sessions: Session[]) => void;
  onChange: (sessions: Session[]) => void;
  onOrder: (order: Order) => void;
  onFleet: (fleet: FleetSummary) => void;
  onDown: () => void;
}

/** Reconnects across restarts, without end. Starts the daemon when it is down at first. */
export const keepLink = async (paths: Paths, env: Env, events: LinkEvents): Promise<never> => {
  for (let first = true; ; first = false) {
    let started = false;
    try {
      const details = readDetails(paths, events);
      for await (const frame of follow(
        paths,
        pathOf('followAll', { query: { only: 'state' } }),
        undefined,
        false,
      )) {
        if (frame.event === 'fleet') events.onFleet(JSON.parse(frame.data) as FleetSummary);
        if (frame.event !== 'state') continue;
        const { sessions } = JSON.parse(frame.data) as SessionList;
        // A snapshot is not an event and has no id.
        if (frame.id === undefined) events.onSnapshot(sessions);
        else events.onChange(sessions);
      }
      await details;
    } catch (error) {
      if (first && isDown(error))
        started = await startDaemon(paths, env).then(
          () => true,
          () => false,
        );
    }
    if (!started) events.onDown();
    await awaitDaemon(paths);
  }
};

/** Reads what the stream does not carry: the order of the queue and the sessions that ended lately. */
const readDetails = async (paths: Paths, events: LinkEvents): Promise<void> => {
  try {
    events.onOrder((await call(paths, 'readQueue')).order);
    const query = { state: 'ended', limit: endedShown };
    events.onChange((await call(paths, 'listSessions', { query })).sessions);
  } catch {
    /* the stream breaks too, and reports it */
  }
};
