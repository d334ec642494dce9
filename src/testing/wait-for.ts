/** Waits in unit tests for something that sends no event: a screen, a file, another process. */
import { vi } from 'vitest';

/** Repeats `probe` until it does not throw. The default of vitest, one second, is too short on a busy machine. */
export const waitFor = <T>(probe: () => T | Promise<T>): Promise<T> => vi.waitFor(probe, { timeout: 20_000 });
