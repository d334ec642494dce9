/** Bounded waiting: on something that tells, or on something that must be looked at. */
import { setTimeout as pauseFor } from 'node:timers/promises';

/** Awaits what `watch` finds, or throws after `ms` what was missing; `watch` returns how to stop looking. */
export function within<T>(
  ms: number,
  missing: () => string,
  watch: (found: (value: T | undefined) => void) => () => unknown,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let over = false;
    let stop: () => unknown = () => {};
    const finish = (end: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      stop();
      end();
    };
    const timer = setTimeout(() => finish(() => reject(new Error(missing()))), ms);
    stop = watch(value => {
      if (value !== undefined) finish(() => resolve(value));
    });
    if (over) stop();
  });
}

/** Looks every 50 ms until `probe` gives a value: for screens and strangers' processes, which send no event. */
export async function until<T>(
  ms: number,
  missing: () => string,
  probe: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(missing());
    await pauseFor(50);
  }
}
