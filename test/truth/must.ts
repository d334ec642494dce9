/** What a scenario demands beside the states. */
import type { Session } from '../../src/contract/session.ts';
import { until } from '../rig/within.ts';
import type { Stage } from './scenario.ts';

/** Says what must hold, and shows what is there instead. */
export function must(holds: boolean, what: string, seen: unknown): asserts holds {
  if (!holds) throw new Error(`not so: ${what}; seen ${JSON.stringify(seen)}`);
}

/** Awaits something about a session that is no state. */
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
