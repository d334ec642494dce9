/** What a scenario requires besides the states. */
import type { Session } from '../../src/contract/session.ts';
import { processStart } from '../../src/platform/processes.ts';
import { until } from '../rig/within.ts';
import type { Stage } from './scenario.ts';

/** How much later than the fact a hook may be written on a loaded machine, ms. The daemon comes back later than that. */
export const late = 1_000;

/** Names what must be true, and shows the actual value. */
export function must(holds: boolean, what: string, seen: unknown): asserts holds {
  if (!holds) throw new Error(`not so: ${what}; seen ${JSON.stringify(seen)}`);
}

/** Waits for something about a session other than its state. */
export const soon = (
  { sessions }: Stage,
  what: string,
  wanted: (session: Session) => boolean,
  ms = 3_000,
): Promise<Session> => {
  let seen: Session[] = [];
  return until(
    ms,
    () => `not so after ${ms} ms: ${what}; seen ${JSON.stringify(seen)}`,
    async () => {
      seen = await sessions();
      return seen.find(wanted);
    },
  );
};

/** Awaits that a process is gone. 2.1.325 sometimes takes some seconds to exit. */
export const gone = (pid: number): Promise<true> =>
  until(
    20_000,
    () => `${pid} lives on`,
    // An unnoticed end is still an end.
    () => (processStart(pid) === null ? (true as const) : undefined),
  );
