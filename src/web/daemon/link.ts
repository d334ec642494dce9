/** Keeps the page connected to the daemon, reports at once when the connection breaks, and reconnects while the page is open. */
import type { SessionList } from '../../contract/api.ts';
import type { FleetSummary } from '../../contract/fleet.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { pathOf } from '../../client/route-call.ts';
import { call } from './call.ts';
import { dropChannel, isStranger } from './channel.ts';
import { errorText, hasCode } from './daemon-error.ts';
import { frames } from './stream.ts';

export interface LinkEvents {
  /** Every live session. */
  onSnapshot: (sessions: Session[]) => void;
  onChange: (sessions: Session[]) => void;
  onOrder: (order: Order) => void;
  onFleet: (fleet: FleetSummary) => void;
  /** `problem`: another program answers instead of the daemon. */
  onDown: (problem: string | null) => void;
  /** Signed out, or the token was rotated. */
  onSignedOut: () => void;
}

/** Pauses between two attempts, ms. */
const pauses = [100, 300, 500, 1_000, 2_000];
/** The daemon sends something every 15 s. A stream that is silent for longer is dead, as after a sleep of the machine. */
const silence = 40_000;
/** Pause while this browser is signed out, ms. */
const signedOutPause = 30_000;

/** Keeps reconnecting; slowly while it is signed out. */
export const keepLink = async (events: LinkEvents): Promise<never> => {
  for (let failed = 0; ; failed++) {
    const watch = watchdog();
    let problem: string | null = null;
    try {
      for await (const { event, data, id } of frames(
        pathOf('followAll', { query: { only: 'state' } }),
        watch.signal,
        watch.alive,
      )) {
        if (event === 'fleet') events.onFleet(JSON.parse(data) as FleetSummary);
        if (event !== 'state') continue;
        const { sessions } = JSON.parse(data) as SessionList;
        // A snapshot is not an event and has no id.
        if (id === undefined) {
          failed = 0;
          events.onSnapshot(sessions);
          void readOrder(events);
        } else events.onChange(sessions);
      }
    } catch (error) {
      if (hasCode(error, 'unauthorized')) {
        events.onSignedOut();
        // Anybody who answers at this address can say so.
        await new Promise(resolve => setTimeout(resolve, signedOutPause));
        continue;
      }
      problem = isStranger(error) ? errorText(error) : null;
    } finally {
      watch.end();
      dropChannel();
    }
    events.onDown(problem);
    await new Promise(resolve => setTimeout(resolve, pauses[Math.min(failed, pauses.length - 1)]));
  }
};

const readOrder = async ({ onOrder }: LinkEvents): Promise<void> => {
  try {
    onOrder((await call('readQueue')).order);
  } catch {
    /* the stream breaks too, and reports it */
  }
};

/** Aborts a stream that has been silent for too long. */
const watchdog = () => {
  const abort = new AbortController();
  let aliveAt = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - aliveAt > silence) abort.abort();
  }, 5_000);
  return {
    signal: abort.signal,
    alive: () => {
      aliveAt = Date.now();
    },
    end: () => {
      clearInterval(timer);
      abort.abort();
    },
  };
};
