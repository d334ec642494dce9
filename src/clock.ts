/** The clock, injected so that tests can control it. */
import { uptime } from 'node:os';
import { limits } from './limits.ts';

export interface Clock {
  now: () => number;
  /** Ms since the machine was started, including sleep. Not affected when somebody sets the clock. */
  uptime?: () => number;
  /** Ms since any fixed moment. Not affected when somebody sets the clock. */
  elapsed?: () => number;
  /** Calls `fire` after this many ms; returns a function that cancels it. Without it a real timer is used. */
  schedule?: (ms: number, fire: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => uptime() * 1_000,
  elapsed: () => performance.now(),
};

/** Ms for measuring how long something takes, as for a deadline: the time of day may jump in the meantime. */
export const elapsed = (clock: Clock): number => clock.elapsed?.() ?? clock.now();

/** Calls `fire` after this many ms by the clock, unless the process ends before; returns a function that cancels it. */
export const schedule = (clock: Clock, ms: number, fire: () => void): (() => void) => {
  if (clock.schedule) return clock.schedule(ms, fire);
  const timer = setTimeout(fire, Math.min(Math.max(ms, 0), limits.clock.longestTimer)).unref();
  return () => clearTimeout(timer);
};
