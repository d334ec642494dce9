/** Parks sessions that have been idle for hours, where the config asks for it. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Pane } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { deferralOf } from '../../session/queue/deferral.ts';
import type { Folded } from '../../session/memory.ts';

export interface ParkIdleDeps {
  sessions: () => Folded[];
  park: (session: Folded) => Promise<unknown>;
  /** Finds the panes that a focused client shows. */
  inSight: (panes: Pane[]) => Promise<Set<Pane>>;
  onError: (message: string, error: unknown) => void;
}

/** Starts the checks; returns a function that stops them. Without `idleHours` there are none. */
export const startParkingIdle = (
  idleHours: number | null,
  clock: Clock,
  deps: ParkIdleDeps,
): (() => void) => {
  if (idleHours === null) return () => {};
  let isRunning = false;
  const check = async () => {
    if (isRunning) return;
    isRunning = true;
    await parkIdle(idleHours, clock, deps).finally(() => (isRunning = false));
  };
  const timer = setInterval(() => void check(), checkInterval(idleHours));
  timer.unref();
  return () => clearInterval(timer);
};

/** Short times are checked more often, so that a session is not parked much later than asked. */
const checkInterval = (idleHours: number): number =>
  Math.max(limits.park.leastCheck, Math.min(limits.park.check, (idleHours * 3_600_000) / 4));

/** Parks sessions that have been idle for `idleHours` and that nobody is looking at, one at a time. */
export const parkIdle = async (idleHours: number, clock: Clock, deps: ParkIdleDeps): Promise<void> => {
  const { sessions, park, inSight, onError } = deps;
  const before = clock.now() - idleHours * 3_600_000;
  const idle = sessions().filter(session => session.state === 'waiting' && idleSince(session) <= before);
  if (idle.length === 0) return;
  try {
    const seen = await inSight(idle.flatMap(({ pane }) => pane ?? []));
    for (const session of idle) {
      if (session.pane && seen.has(session.pane)) continue;
      // One that is refused, for a draft or a task, is tried again at the next check.
      await park(session).catch(error => {
        if (!(error instanceof DroverError)) throw error;
      });
    }
  } catch (error) {
    onError('could not park idle sessions', error);
  }
};

/** When something happened to it last, including that somebody looked at it. */
const idleSince = (session: Folded): number =>
  Math.max(session.since, session.touched, deferralOf(session)?.seen ?? 0);
