/** The clock, injected so that tests can hold it. */
import { uptime } from 'node:os';

export interface Clock {
  now: () => number;
  /** Ms since the machine was started, sleep included: goes on evenly when somebody sets the clock. */
  steady?: () => number;
}

export const systemClock: Clock = { now: () => Date.now(), steady: () => uptime() * 1_000 };
