/** Waiting for what nothing reports: a screen, or a process that is not our child. */
import { setTimeout as pause } from 'node:timers/promises';

/** Calls `read` until its value is truthy; returns the last value when `ms` have passed first. */
export const pollUntil = async <T>(read: () => T | Promise<T>, ms: number, every: number): Promise<T> => {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await read();
    if (value || performance.now() > deadline) return value;
    await pause(every);
  }
};
