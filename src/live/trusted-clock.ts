/**
 * The time by which history is removed. A clock that jumps ahead, because somebody set it or because the machine woke up
 * with a wrong one, must not remove any: a jump counts only after the daemon has run with it for a day.
 */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { bootId } from '../platform/processes.ts';
import type { Store } from '../store/store.ts';

interface Reading {
  now: number;
  /** The uptime, stored under this name since the first version. */
  steady: number;
  boot: string;
  /** Jumps that do not count yet: how far, and how much longer the daemon has to run with them. */
  jumps: { by: number; left: number }[];
}

/** Returns the trusted time, and saves the reading for the next call. */
export const trustedNow = (store: Store, clock: Clock): number => {
  const now = clock.now();
  if (!clock.uptime) return now;
  const reading = next(store.facts.read(factName) as Reading | null, {
    now,
    steady: clock.uptime(),
    boot: bootId(),
    jumps: [],
  });
  store.facts.save(factName, reading);
  return now - reading.jumps.reduce((sum, { by }) => sum + by, 0);
};

const factName = 'clock';

const next = (last: Reading | null, reading: Reading): Reading => {
  if (!last || !Array.isArray(last.jumps)) return reading;
  // After a reboot it is not known how long the machine was off.
  const passed = last.boot === reading.boot ? Math.max(0, reading.steady - last.steady) : 0;
  const by = reading.now - last.now - passed;
  const jumps = last.jumps
    .map(jump => ({ ...jump, left: jump.left - passed }))
    .filter(({ left }) => left > 0);
  if (by > limits.clock.jump) jumps.push({ by, left: limits.clock.trustAfter });
  return { ...reading, jumps: by < -limits.clock.jump ? undoJumps(jumps, -by) : jumps };
};

/** Undoes the newest jumps first, because the clock was set back. */
const undoJumps = (jumps: Reading['jumps'], by: number): Reading['jumps'] => {
  const last = jumps.at(-1);
  if (!last) return [];
  if (last.by > by) return [...jumps.slice(0, -1), { ...last, by: last.by - by }];
  return undoJumps(jumps.slice(0, -1), by - last.by);
};
