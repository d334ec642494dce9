/** Bounded waiting: for something that sends an event, or something that must be polled. */
import { setTimeout as pauseFor } from 'node:timers/promises';

/** Waits for what `watch` finds, or throws after `ms` what was missing; `watch` returns how to stop. */
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

/** Polls every 50 ms until `probe` returns a value: for screens and processes that are not ours, which send no event. */
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
