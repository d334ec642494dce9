/** The board's line to the daemon: live over server-sent events, and told at once when it breaks. */
import { call } from '../client/call.ts';
import { endedShown } from '../client/board.ts';
import { pathOf } from '../client/route-call.ts';
import { startDaemon } from '../client/start.ts';
import { backAgain, follow, isDown } from '../client/stream.ts';
import type { SessionList } from '../contract/api.ts';
import type { Order } from '../contract/queue.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';

export interface Heard {
  /** Every live session. */
  told: (sessions: Session[]) => void;
  changed: (sessions: Session[]) => void;
  order: (order: Order) => void;
  down: () => void;
}

/** Stays with the daemon across restarts, without end. Starts it when it is down at the beginning. */
export const keepLink = async (paths: Paths, env: Env, heard: Heard): Promise<never> => {
  for (let first = true; ; first = false) {
    let started = false;
    try {
      const details = askDetails(paths, heard);
      for await (const frame of follow(
        paths,
        pathOf('followAll', { query: { only: 'state' } }),
        undefined,
        false,
      )) {
        if (frame.event !== 'state') continue;
        const { sessions } = JSON.parse(frame.data) as SessionList;
        // A snapshot stands for no event and has no id.
        if (frame.id === undefined) heard.told(sessions);
        else heard.changed(sessions);
      }
      await details;
    } catch (error) {
      if (first && isDown(error))
        started = await startDaemon(paths, env).then(
          () => true,
          () => false,
        );
    }
    if (!started) heard.down();
    await backAgain(paths);
  }
};

/** What the stream does not tell: the order of the queue, and who has ended lately. */
const askDetails = async (paths: Paths, heard: Heard): Promise<void> => {
  try {
    heard.order((await call(paths, 'readQueue')).order);
    const query = { state: 'ended', limit: endedShown };
    heard.changed((await call(paths, 'listSessions', { query })).sessions);
  } catch {
    /* the stream breaks too, and says so */
  }
};
