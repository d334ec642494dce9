/** Waiting for what nothing reports: a screen, or a process that is not our child. */
import { setTimeout as pause } from 'node:timers/promises';

/** Calls `check` until it is true; false when `ms` have passed first. */
export const pollUntil = async (
  check: () => boolean | Promise<boolean>,
  ms: number,
  every: number,
): Promise<boolean> => {
  const deadline = performance.now() + ms;
  while (!(await check())) {
    if (performance.now() > deadline) return false;
    await pause(every);
  }
  return true;
};
