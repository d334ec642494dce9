/** The clock, injected so that tests can hold it. */
export interface Clock {
  now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };
