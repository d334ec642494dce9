/** The page's line to the daemon: live, told at once when it breaks, and mended for as long as the page is open. */
import type { SessionList } from '../../contract/api.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { pathOf } from '../../client/route-call.ts';
import { call } from './call.ts';
import { hasCode } from './daemon-error.ts';
import { frames } from './stream.ts';

export interface Heard {
  /** Every live session. */
  told: (sessions: Session[]) => void;
  changed: (sessions: Session[]) => void;
  order: (order: Order) => void;
  down: () => void;
  /** Signed out, or the token was changed. */
  out: () => void;
}

/** Between two tries, ms: at once, then a little slower, never slower than a person would try. */
const pauses = [100, 300, 500, 1_000, 2_000];
/** The daemon says something each 15 s: a line that is silent for longer is dead, as after a sleep. */
const silence = 40_000;

/** Stays with the daemon until this browser is signed out. */
export const keepLink = async (heard: Heard): Promise<void> => {
  for (let failed = 0; ; failed++) {
    const watch = watchdog();
    try {
      for await (const { event, data, id } of frames(
        pathOf('followAll', { query: { only: 'state' } }),
        watch.signal,
        watch.alive,
      )) {
        if (event !== 'state') continue;
        const { sessions } = JSON.parse(data) as SessionList;
        // A snapshot stands for no event and has no id.
        if (id === undefined) {
          failed = 0;
          heard.told(sessions);
          void askOrder(heard);
        } else heard.changed(sessions);
      }
    } catch (error) {
      if (hasCode(error, 'unauthorized')) {
        heard.out();
        return;
      }
    } finally {
      watch.end();
    }
    heard.down();
    await new Promise(resolve => setTimeout(resolve, pauses[Math.min(failed, pauses.length - 1)]));
  }
};

const askOrder = async ({ order }: Heard): Promise<void> => {
  try {
    order((await call('readQueue')).order);
  } catch {
    /* the stream breaks too, and says so */
  }
};

/** Gives a stream up that has said nothing for too long. */
const watchdog = () => {
  const abort = new AbortController();
  let heardAt = Date.now();
  const look = setInterval(() => {
    if (Date.now() - heardAt > silence) abort.abort();
  }, 5_000);
  return {
    signal: abort.signal,
    alive: () => {
      heardAt = Date.now();
    },
    end: () => {
      clearInterval(look);
      abort.abort();
    },
  };
};
